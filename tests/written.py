"""Tables as the bytes of files, for tests that read them."""

import io

import pandas as pd


def csv(frame: pd.DataFrame) -> bytes:
    return frame.to_csv(index=False).encode()


def excel(frame: pd.DataFrame) -> bytes:
    file = io.BytesIO()
    frame.to_excel(file, index=False)
    return file.getvalue()
