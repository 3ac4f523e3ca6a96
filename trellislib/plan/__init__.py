r'''Experiments described in a file: data sets, methods, protocol, seeds and budget, in TOML or JSON.

`read_plan` checks the whole file before anything runs, and raises one sentence on what is not as expected. In JSON the
keys are the same; ``data`` and ``methods`` are lists of objects.

**title** (a text) is the title of the run in the store. **seeds** is a list of whole numbers, ``[0]`` by default.

**protocol**: ``folds`` (5 by default) and ``repeats``, or ``test``, the share of rows to test on in a single split.

**budget**: ``seconds`` and ``gib``, what a fit may take; without one there is no limit.

**data**: each has one of these, and ``name`` for another name in results:

- ``packaged``: a set of `trellislib.data.PACKAGED`, as "yeast";
- ``known``: a set of `trellislib.data.KNOWN`, as "scene", from where `trellislib.data.obtain` finds it;
- ``load``: a file, its path relative to that of the experiment; ``labels`` names the columns that are labels, where the
  file does not: an XML file, a list of names, or their number (minus for the last columns); ``groups`` is a
  column that says what each row is about (a patient, a film), so that no fold divides its rows; ``weights`` is one
  that says how much each row counts; ``split``, ``long``, ``ancestors``, ``sheet`` and ``text`` are those of
  `trellislib.data.load`, as ``split = ["tags", ";"]``;
- ``train`` and ``test``: two files, with ``labels`` and so on as above; this set is divided as they are;
- ``room`` or ``label_dag``: the arguments of `trellislib.data.simulate_room` or `simulate_label_dag`.

**methods**: ``method`` is a key of `trellislib.methods.METHODS`, or the path of a classifier of scikit-learn for
several outputs; then any of its parameters. ``estimator`` and ``inference`` are classes of `trellislib` by name or of
scikit-learn by path, as a text or, with parameters of their own, as a table with ``class``; ``estimator = "auto"`` is
least squares that chooses its penalties and features. In addition:

- ``name``: its name in results;
- ``scale``: "as they are" (the default), "to unit variance" or "to [0, 1]": what becomes of the features;
- ``fill``: what becomes of missing features, where there are any: "mean", "median", "most frequent" or "zero", found in
  the training rows; "as they are", for base learners that take them so; or "automatic" (the default), which is "as they
  are" for those and "mean" for others;
- ``threshold``: "cardinality", "per-label", "f1" or a number from 0 to 1. Methods that have such a parameter, as
  ensembles do for their votes, are given it; any other becomes a `trellislib.ThresholdedClassifier`, also at 0.5, for
  some (as PCC and LP) decide by the joint probability of all labels.

Parameters by which scikit-learn would keep or read files, as ``memory``, are refused.

What is random follows from the seeds, unless a ``random_state`` is given.

Examples
--------
A whole file; the data files that are named must be there:

>>> text = """
... title = "Chains against trellises"
... seeds = [0, 1]
...
... [protocol]
... folds = 3
... repeats = 2
...
... [budget]
... seconds = 3600
... gib = 2
...
... [[data]]
... packaged = "yeast"
...
... [[data]]
... load = "weather.csv"
... labels = ["sunny", "warm"]
...
... [[data]]
... train = "weather.csv"
... test = "weather-test.csv"
... labels = -2
... name = "Weather, as published"
...
... [[data]]
... label_dag = { n_instances = 500, n_labels = 10 }
...
... [[methods]]
... method = "IC"
... estimator = "Logistic"
... scale = "to unit variance"
... fill = "median"
...
... [[methods]]
... method = "CT"
... name = "CT, width 4"
... width = 4
... estimator = { class = "sklearn.svm.LinearSVC", C = 0.1 }
... inference = { class = "AncestralSampling", n_samples = 20 }
...
... [[methods]]
... method = "ECC"
... max_samples = 0.67
... voting = "soft"
... threshold = "cardinality"
... """
>>> import tempfile
>>> from pathlib import Path
>>> with tempfile.TemporaryDirectory() as folder:
...     for name in ("weather.csv", "weather-test.csv"):
...         _ = Path(folder, name).write_text("cold,sunny,warm\n0.1,1,1\n0.9,0,0\n")
...     _ = Path(folder, "chains.toml").write_text(text)
...     plan = read_plan(Path(folder, "chains.toml"))
>>> plan.title, plan.protocol.words, str(plan.budget), len(plan.data)
('Chains against trellises', '2 x 3-fold', '3,600 s and 2 GiB a fit', 4)
>>> [method.name for method in plan.methods]
['IC', 'CT, width 4', 'ECC']
'''

from trellislib.plan.archive import Archive, read_archive, write_archive
from trellislib.plan.reading import Plan, PlannedMethod, read_plan
from trellislib.plan.section import PlanError
from trellislib.plan.sources import PlannedData

__all__ = [
    "Archive",
    "Plan",
    "PlanError",
    "PlannedData",
    "PlannedMethod",
    "read_archive",
    "read_plan",
    "write_archive",
]
