"""The README's example runs as it stands, and its commands are the ones that CI runs."""

import ast
import re
import shlex
from functools import partial
from pathlib import Path

import pandas as pd
import pytest

from trellislib.advice import advise
from trellislib.command_line import advising, main
from trellislib.experiment import Store
from trellislib.plan import read_plan

ROOT = Path(__file__).parents[1]
README = (ROOT / "README.md").read_text(encoding="utf-8")


EXAMPLES = re.findall(r"```python\n(.*?)```", README, re.DOTALL)


def printed_by(example, capsys):
    exec(compile(example, "README.md", "exec"), {})
    return capsys.readouterr().out


def test_the_pages_are_listed_in_the_groups_of_the_sidebar():
    module = ast.parse((ROOT / "app" / "main.py").read_text(encoding="utf-8"))
    (pages,) = [
        ast.literal_eval(node.value)
        for node in module.body
        if isinstance(node, ast.Assign) and ast.unparse(node.targets[0]) == "PAGES"
    ]
    sidebar = {group: [title for title, *_ in members.values()] for group, members in pages.items() if group}
    assert list(sidebar) == ["Explore", "Train and compare", "Use", "Learn", "Lab"]

    listed = README.split("in their groups:")[1].split("Each figure can be saved")[0]
    groups = re.findall(r"^\*\*(.+?)\*\*$(.*?)(?=^\*\*|\Z)", listed, re.MULTILINE | re.DOTALL)
    assert {group: re.findall(r"^- \*\*(.+?)\*\*", under, re.MULTILINE) for group, under in groups} == sidebar


def test_the_first_example_prints_the_three_methods(capsys):
    printed = printed_by(EXAMPLES[0], capsys)
    assert re.search(r"method\s+IC\s+CC\s+CT", printed)
    assert re.search(r"exact_match\s+mean(\s+0\.\d+){3}", printed)


def test_the_second_example_recovers_most_of_the_true_graph(capsys):
    assert len(EXAMPLES) == 7  # the fourth, on a Dask cluster, runs in test_parallel.py
    found = [float(f) for f in re.findall(r"skeleton_f=(0\.\d+)", printed_by(EXAMPLES[1], capsys))]
    assert len(found) == 2
    assert min(found) > 0.9


def test_the_third_example_scores_trellises_and_fits_a_stream(capsys):
    printed = printed_by(EXAMPLES[2], capsys)
    scores = re.findall(r"^\[(0\.\d+), (0\.\d+)\]", printed, re.MULTILINE)
    assert len(scores) == 5
    assert all(0.45 < float(accuracy) < 0.55 and 0.1 < float(exact) < 0.2 for accuracy, exact in scores)
    assert 0 < int(re.search(r"(\d+) of 50 labels", printed)[1]) < 50


def test_the_fifth_example_reads_files_and_reports_oddities(capsys, monkeypatch, tmp_path):
    monkeypatch.chdir(tmp_path)
    scene = "@relation scene\n@attribute x numeric\n@attribute beach {0,1}\n@attribute sunset {0,1}\n@data\n"
    Path("scene-train.arff").write_text(scene + "0.1,1,0\n0.2,0,1\n", encoding="utf-8")
    Path("scene-test.arff").write_text(scene + "0.3,1,1\n", encoding="utf-8")
    Path("scene.xml").write_text('<labels><label name="beach"/><label name="sunset"/></labels>', encoding="utf-8")
    Path("films.csv").write_text('Year,Genre\n1999,"Comedy, Drama"\n2001,Drama\n2003,\n', encoding="utf-8")
    Path("pairs.csv").write_text("id,x,label\n1,5,sea\n1,5,sky\n2,6,sea\n", encoding="utf-8")
    rows = {
        "id": [*range(1, 7)],
        "age": [30, 41, 52, 23, 34, 45],
        "opinion": ["good food", "bad food", "good", "bad service", "good service", "no food at all"],
        "food": [1, 0, 1, 0, None, 1],
        "service": [0, 1, 0, 1, 1, 0],
        "again": [0] * 6,
    }
    pd.DataFrame(rows).to_excel("survey.xlsx", index=False)

    assert "again" in printed_by(EXAMPLES[4], capsys)


def test_the_sixth_example_and_the_commands_predict_new_tickets(capsys, monkeypatch, tmp_path):
    monkeypatch.chdir(tmp_path)
    rows = [f"T-{i},{i % 7},{'printer broken' if i % 2 else 'password lost'} on day {i}" for i in range(40)]
    tags = [f"{'printer' if i % 2 else ''}{';urgent' if i % 7 > 4 else ''}" for i in range(40)]
    tickets = ["id,hours,said,tags", *(f"{row},{of}" for row, of in zip(rows, tags, strict=True))]
    for name, lines in {"tickets": tickets, "more-tickets": tickets[:20]}.items():
        Path(f"{name}.csv").write_text("\n".join(lines), encoding="utf-8")
    Path("new.csv").write_text("\n".join(["id,hours,said", *rows[:3]]), encoding="utf-8")
    monkeypatch.setattr(advising, "advise", partial(advise, learners=["auto"], n_repeats=1))  # of all it takes a minute
    for command in re.search(r"```console\n(.*?)```", README, re.DOTALL)[1].splitlines():
        assert main(shlex.split(command)[1:]) == 0
    assert re.search(r"Accuracy \(Jaccard\) +[01]\.\d{4}", capsys.readouterr().out)
    found = pd.read_csv("predictions.csv")
    assert found.columns.tolist() == ["id", "printer", "urgent", "P(printer)", "P(urgent)", "Set (90% sure)"]
    assert found["printer"].tolist() == [0, 1, 0]
    assert "T-1" in printed_by(EXAMPLES[5], capsys)


@pytest.mark.slow
def test_the_seventh_example_ranks_methods_over_data_sets(capsys, monkeypatch, tmp_path):
    monkeypatch.chdir(tmp_path)
    printed = printed_by(EXAMPLES[6], capsys)
    assert "accuracy" in printed
    assert "<svg" in (tmp_path / "ranks.svg").read_text(encoding="utf-8")
    assert Store(tmp_path / "results.sqlite").runs()["n_fits"].tolist() == [4 * 3 * 3]


def test_the_experiment_file_is_one(tmp_path):
    (tmp_path / "chains.toml").write_text(re.search(r"```toml\n(.*?)```", README, re.DOTALL)[1], encoding="utf-8")
    for name in ("emotions.arff", "emotions.xml", "scene-train.arff", "scene-test.arff", "scene.xml"):
        (tmp_path / name).touch()
    plan = read_plan(tmp_path / "chains.toml")
    assert [method.name for method in plan.methods] == ["IC", "CT, width 4"]
    assert len(plan.data) == 3


def test_every_file_it_shows_or_links_is_there():
    links = re.findall(r"\]\(([^)#]+)\)", README)
    assert "assets/trellis-page.png" in links
    assert [link for link in links if not (ROOT / link).exists()] == []


def test_ci_runs_the_command_of_the_readme():
    commands = [line for line in README.splitlines() if line.startswith("python3 -m venv")]
    assert len(commands) == 2
    assert commands[1].endswith(".venv/bin/pytest")
    assert "README.md" in (ROOT / ".ci" / "run").read_text(encoding="utf-8")
