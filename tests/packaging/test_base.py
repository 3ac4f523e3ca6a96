"""The base package alone works, and names the extra that is missing wherever one is needed."""

import json
import re

import pandas as pd
import pytest

pytestmark = pytest.mark.slow

ATTEMPTS = {
    "excel": "load('sky.xlsx')",
    "r": "load('sky.rda')",
    "export": "load('sky.parquet')",
    "export, data": "save(data, '.', 'Parquet')",
    "export, results": "store.export('fits.parquet')",
    "figures": "import_module('trellislib.figures')",
    "figures, diagram": "main(['rank', 'scores.csv', '--diagram', 'cd.svg'])",
    "bayes": "bayesian_signed_rank(scores, 'CT', 'IC')",
    "pc": "pc(data.Y)",
    "fetch": "fetch('emotions')",
    "data": "packaged('yeast')",
    "data, films": "packaged('movies')",
    "app": "main(['app'])",
}

SCRIPT = """
import contextlib, io, json, sys
from importlib import import_module
import pandas as pd
from trellislib import ClassifierTrellis
from trellislib.command_line import main
from trellislib.data import fetch, load, packaged, save, simulate_label_dag
from trellislib.experiment import Split, Store, run
from trellislib.graphs import pc
from trellislib.ranking import bayesian_signed_rank

data, store = simulate_label_dag(n_instances=60, n_labels=3, random_state=0), Store("results.sqlite")
results = run([data], {"CT": ClassifierTrellis()}, Split(), store=store)
assert len(results.fits) == 1, results.notes
scores = pd.DataFrame({"IC": [0.4, 0.5, 0.6], "CT": [0.5, 0.6, 0.6]}, index=list("abc"))
scores.to_csv("scores.csv", index_label="dataset")
sentences = {}
for name, attempt in json.loads(sys.argv[1]).items():
    printed = io.StringIO()
    try:
        with contextlib.redirect_stderr(printed), contextlib.redirect_stdout(io.StringIO()):
            eval(attempt)
    except Exception as error:
        sentences[name] = str(error)
    else:
        sentences[name] = printed.getvalue().strip()
print(json.dumps(sentences))
"""


@pytest.fixture(scope="module")
def sentences(base, tmp_path_factory):
    """What each attempt says in the base package."""
    folder = tmp_path_factory.mktemp("work")
    rows = pd.DataFrame({"x": [0.1, 0.2], "sunny": [0, 1]})
    rows.to_excel(folder / "sky.xlsx", index=False)
    rows.to_parquet(folder / "sky.parquet")
    (folder / "sky.rda").write_bytes(b"RDX3\nX\n\0\0\0\3")
    return json.loads(base.run("python", "-c", SCRIPT, json.dumps(ATTEMPTS), cwd=folder).splitlines()[-1])


@pytest.mark.parametrize("attempt", ATTEMPTS)
def test_a_missing_extra_is_named_in_one_sentence(sentences, attempt):
    extra = attempt.partition(",")[0]
    assert re.search(rf" needs \w+: pip install 'trellislib\[{extra}\]'\.$", sentences[attempt])
    assert "\n" not in sentences[attempt]
