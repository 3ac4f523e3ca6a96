"""The pages: a folder each, whose `page.py` Streamlit runs."""
