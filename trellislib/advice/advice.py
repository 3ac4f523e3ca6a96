"""Advice on one data set, from a comparison within a number of seconds."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from numbers import Real

import pandas as pd
from scipy import stats

from trellislib.advice import sentences
from trellislib.advice.candidates import BASELINE, INDEPENDENT, LEARNERS, STACKED, STRUCTURES, method_of, name_of
from trellislib.advice.cautions import cautions
from trellislib.advice.comparison import N_REPEATS, BudgetedComparison
from trellislib.advice.contrasts import contrasts
from trellislib.data.dataset import Dataset
from trellislib.experiment.protocols import require_dataset
from trellislib.methods import METHODS
from trellislib.metrics import decision_measures
from trellislib.models import Model, fit_model
from trellislib.ranking.paired import CLEAR
from trellislib.running.progress import Cancelled, CancelledError, Progress
from trellislib.running.threads import one_blas_thread
from trellislib.wording import listed

POWER = 0.8
COLUMNS = ("structure", "learner", "mean", "folds", "train_seconds", "test_seconds", "status")


@dataclass(frozen=True, eq=False)
class Advice:
    """Whether label structure is worth it on a data set, which method to use, and what that rests on; see `advise`.

    Attributes
    ----------
    dataset : str
        Name of the data set.
    score : str
        Key of the score that all methods decide for.
    n_rows, n_rows_given : int
        Rows that were compared, and rows of the data set.
    seconds, elapsed : float
        Time that was allowed, and that was taken.
    protocol : str
        The folds, in words.
    n_folds : int
        Number of folds of a repeat.
    table : DataFrame
        By candidate, in the order in which they ran: its ``structure`` and ``learner``, its ``mean`` score, the number
        of ``folds``, mean ``train_seconds`` and ``test_seconds`` of a fit, and a ``status``, empty where it finished.
    contrasts : DataFrame
        By candidate with a structure and the chosen learner: by how much it is better than independent classifiers
        (``difference``), the interval of that (``low``, ``high``) and the ``p``-value, for all of them at once.
    scores : dict of str to DataFrame
        By score, a row for each repeat and fold, a column for each candidate.
    learner : str
        Key of the base learner that the structures were compared with: the best one for independent classifiers, or
        where there was no time for that, the first one.
    cautions : tuple of str
        Where a score deceives, one sentence each.
    model : Model, optional
        The recommended method, fitted on all rows; None while the comparison goes on, or where nothing ended in time.
    complete : bool
        Whether the comparison came to its end, in time and not cancelled.
    """

    dataset: str
    score: str
    n_rows: int
    n_rows_given: int
    seconds: float
    elapsed: float
    protocol: str
    table: pd.DataFrame
    contrasts: pd.DataFrame
    scores: dict[str, pd.DataFrame]
    learner: str
    n_folds: int
    cautions: tuple[str, ...] = ()
    model: Model | None = None
    complete: bool = False

    @property
    def independent(self) -> str:
        """The candidate with no structure and the chosen learner."""
        return name_of(INDEPENDENT, self.learner)

    @property
    def best_structure(self) -> str:
        """The candidate with a structure of the highest mean score, of those that are clearly better if any is."""
        differences = self.contrasts["difference"]
        return str((differences[self._clearly_better] if self._clearly_better.any() else differences).idxmax())

    @property
    def _clearly_better(self) -> pd.Series:
        return (self.contrasts["p"] <= CLEAR) & (self.contrasts["difference"] > 0)

    @property
    def verdict(self) -> str:
        """One of "helps", "none" (no difference was found), "hurts" (every structure is clearly behind), "unknown"."""
        if self.contrasts.empty or self.contrasts["p"].isna().all():
            return "unknown"
        if self._clearly_better.any():
            return "helps"
        clear = self.contrasts["p"] <= CLEAR
        return "hurts" if (clear & (self.contrasts["difference"] < 0)).all() else "none"

    @property
    def recommended(self) -> str | None:
        """The candidate to use: a structure that is clearly better, or the best independent classifiers."""
        means, shared = self.table["mean"], self.scores[self.score].head(self.n_folds).mean()  # of folds that all have
        without = self.table.index[(self.table["structure"] == INDEPENDENT) & (self.table["folds"] > 0)]
        best = str(shared[without].idxmax()) if len(without) else None
        if self.verdict == "helps" and not (best and means[best] > means[self.best_structure]):
            return self.best_structure
        return best

    @property
    def learner_name(self) -> str:
        """The base learner of the structures in words."""
        return LEARNERS[self.learner].name

    @property
    def detectable(self) -> float:
        """The difference of the best structure that these folds would show in four of five cases.

        The sum of the quantiles of Student's t for the level and for a power of 80 %, times the standard error.
        """
        row = self.contrasts.loc[self.best_structure]
        level, power = (stats.t.isf(tail, row["n"] - 1) for tail in (CLEAR / 2 / len(self.contrasts), 1 - POWER))
        return float((row["high"] - row["low"]) / 2 * (1 + power / level))

    @property
    def gain_of_depth(self) -> float | None:
        """By how much stacked independent classifiers are better than independent ones; None if they did not run.

        They are as deep as a chain and see no label's true value, so that they gain nothing from label dependence.
        """
        stacked, of_all = name_of(STACKED, self.learner), self.scores[self.score]
        if stacked not in of_all:
            return None
        return float((of_all[stacked] - of_all[self.independent]).mean())

    @cached_property
    def other_scores(self) -> tuple[list[str], list[str]]:
        """The other scores in which the best structure differs as clearly to the same side, and those in which not."""
        sign = self.contrasts.loc[self.best_structure, "difference"]
        same: list[str] = []
        other: list[str] = []
        for key, of_all in self.scores.items():
            if key != self.score and {self.best_structure, self.independent} <= {*of_all}:
                row = contrasts(of_all, [self.best_structure], self.independent, self.n_folds).iloc[0]
                (same if row["p"] <= CLEAR and row["difference"] * sign > 0 else other).append(key)
        return same, other

    @cached_property
    def sentences(self) -> tuple[str, ...]:
        """The answer, what to use, what would change the answer, and how much of a gain is from depth alone."""
        said = (sentences.answer(self), sentences.to_use(self), sentences.to_change(self), sentences.depth(self))
        return tuple(filter(None, said))

    def __str__(self) -> str:
        return "\n".join([*self.sentences, *(f"Caution: {caution}" for caution in self.cautions)])


def advise(
    dataset: Dataset,
    score: str | None = None,
    seconds: float = 60.0,
    *,
    seed: int = 0,
    learners: Sequence[str] = tuple(LEARNERS),
    n_repeats: int = N_REPEATS,
    n_jobs: int | None = None,
    progress: Progress | None = None,
    cancelled: Cancelled | None = None,
    so_far: Callable[[Advice], None] | None = None,
) -> Advice:
    """Find out whether label structure is worth it on a data set, and which method to use.

    Independent classifiers, chains, trellises and their ensembles are compared on the same folds, each deciding for the
    same score. The base learner is the one that is best for independent classifiers; the structures are then compared
    with independent classifiers of that learner, by the corrected resampled t-test with Bonferroni's correction for
    the number of structures. So "structure helps" is said of labels that are independent given the features with a
    chance of 5 % at most.

    Parameters
    ----------
    dataset : Dataset
        The data; of more rows than there is time for, some are drawn at random, how many depends on the machine.
    score : str, optional
        A score of decisions, of `trellislib.metrics.decision_measures`; by default accuracy, or the Hamming score where
        labels have more than two values.
    seconds : float, default=60
        About how long it may take, with fitting the recommended method on all rows.
    seed : int, default=0
        Seed of folds and methods.
    learners : sequence of str, default=("auto", "logistic", "forest")
        Base learners that are tried, keys of `trellislib.advice.LEARNERS`; the later ones if there is time.
    n_repeats : int, default=4
        How often the folds are drawn at most.
    n_jobs : int, optional
        Fits at a time, as joblib counts.
    progress, cancelled : callable, optional
        See `trellislib.running.progress`. When cancelled, what was found is returned.
    so_far : callable, optional
        Called as ``so_far(advice)`` after every few fits with what is known by then.

    Returns
    -------
    Advice

    Raises
    ------
    TypeError
        If `dataset` is none.
    ValueError
        If the score or a learner is unknown, the time is no number above 0, or the data set has a single row.

    Examples
    --------
    >>> from trellislib.data import simulate_label_dag
    >>> data = simulate_label_dag(n_instances=150, n_labels=4, random_state=0)
    >>> advice = advise(data, "exact_match", 600, learners=["logistic"], n_repeats=1)
    >>> advice.verdict, advice.recommended
    ('none', 'IC, logistic')
    >>> advice.model.predict(data.X[:2]).Y.shape
    (2, 4)
    """
    require_dataset(dataset)
    measures = decision_measures(binary=dataset.is_multilabel)
    score = measures[0] if score is None else score
    _refuse(dataset, score, measures, seconds, learners)
    comparison = BudgetedComparison(
        dataset,
        score,
        seconds=seconds,
        seed=seed,
        learners=learners,
        n_repeats=n_repeats,
        n_jobs=n_jobs,
        progress=progress,
        cancelled=cancelled,
    )

    def known(*, complete: bool = False) -> Advice:
        return _advice(dataset, comparison, measures, complete=complete)

    try:
        for _ in comparison.batches():
            if so_far is not None:
                so_far(known())
    except CancelledError:
        return known()
    found = known(complete=True)
    if found.recommended is None:
        return found
    made = comparison.candidates[found.recommended]
    found = replace(found, cautions=tuple(_cautions(comparison, found, dataset.n_incomplete)))
    if so_far is not None:
        so_far(found)
    if progress is not None:
        progress(round(10 * comparison.elapsed), round(10 * max(seconds, comparison.elapsed)), f"{made.name}, all rows")
    means = {key: float(of_all[made.name].mean()) for key, of_all in found.scores.items()}
    method = method_of(made.structure, made.learner, score, seed)
    try:
        with one_blas_thread():
            model = fit_model(
                dataset,
                method,
                scale=LEARNERS[made.learner].scaling,
                scores=means,
                n_scored=found.n_rows,
                cancelled=cancelled,
            )
    except CancelledError:
        return replace(found, complete=False)
    return replace(found, model=model, elapsed=comparison.elapsed)


def _refuse(dataset: Dataset, score: str, measures: Sequence[str], seconds: float, learners: Sequence[str]) -> None:
    if score not in measures:
        raise ValueError(f"Got the score {score!r}, but expected one of {', '.join(measures)}.")
    if not (isinstance(seconds, Real) and 0 < float(seconds) < float("inf")):
        raise ValueError(f"Got {seconds!r} seconds, but expected a finite number above 0.")
    unknown = [key for key in learners if key not in LEARNERS]
    if unknown or not learners:
        raise ValueError(f"Got the learners {list(learners)!r}, but expected some of {', '.join(LEARNERS)}.")
    if all(LEARNERS[key].dense_only for key in learners) and not dataset.is_dense:
        raise ValueError(
            f"Got the learners {list(learners)!r}, which take dense features only, and those of {dataset.name} are "
            "sparse; add another one."
        )


def _advice(dataset: Dataset, comparison: BudgetedComparison, measures: Sequence[str], *, complete: bool) -> Advice:
    """Return what a comparison shows."""
    scores = {key: comparison.scores(key) for key in measures}
    finished = scores[comparison.score]
    learner = comparison.compared_learner
    independent = name_of(INDEPENDENT, learner)
    family = [
        name
        for name in finished
        if comparison.candidates[name].has_structure and comparison.candidates[name].learner == learner
    ]
    compared = independent in finished
    n_rounds = max((row["repeat"] for row in comparison.fits), default=1)
    return Advice(
        dataset=dataset.name,
        score=comparison.score,
        n_rows=comparison.data.n_instances,
        n_rows_given=dataset.n_instances,
        seconds=comparison.seconds,
        elapsed=comparison.elapsed,
        protocol=f"{comparison.n_folds} folds" if n_rounds == 1 else f"{n_rounds} x {comparison.n_folds} folds",
        table=_table(comparison, finished),
        contrasts=contrasts(finished, family if compared else [], independent, comparison.n_folds),
        scores=scores,
        learner=learner,
        n_folds=comparison.n_folds,
        complete=complete,
    )


def _table(comparison: BudgetedComparison, finished: pd.DataFrame) -> pd.DataFrame:
    times = ["train_seconds", "test_seconds"]
    spent = pd.DataFrame(comparison.fits, columns=["candidate", *times]).groupby("candidate")[times].mean()
    rows = {
        name: {
            "structure": made.structure,
            "learner": made.learner,
            "mean": finished[name].mean() if name in finished else float("nan"),
            "folds": int(finished[name].count()) if name in finished else 0,
            **{key: spent[key].get(name, float("nan")) for key in times},
            "status": comparison.left_out.get(name, ""),
        }
        for name, made in comparison.candidates.items()
    }
    table = pd.DataFrame.from_dict(rows, orient="index", columns=list(COLUMNS))
    return table.rename_axis("candidate")


def _cautions(comparison: BudgetedComparison, found: Advice, n_incomplete: int) -> Iterator[str]:
    """Yield where the scores of the recommended method deceive, what is worst first."""
    made, finished = comparison.candidates[str(found.recommended)], comparison.scores()
    if BASELINE in finished:
        over = contrasts(finished, [made.name], BASELINE, comparison.n_folds).iloc[0]
        if not over["low"] > 0:
            how = "worse" if over["high"] < 0 else "not significantly better"
            yield f"{made.structure} is {how} than the same labels for every row ({over['difference']:+.3f})."
    untried = [key for key in STRUCTURES if name_of(key, comparison.learner) in comparison.out_of_time]
    if untried:
        yield f"There was no time for {listed([METHODS[key].name.lower() for key in untried])}: give more seconds."
    missed = [key for key in comparison.learners if name_of(INDEPENDENT, key) in comparison.out_of_time]
    if missed:
        yield f"There was no time for {listed([LEARNERS[key].name for key in missed], 3)}, which may be better."
    elif made.learner != found.learner and not found.contrasts.empty:
        compared, best = LEARNERS[found.learner].name, LEARNERS[made.learner].name
        yield f"Structures were compared with {compared}. There was no time to compare them with {best}."
    for key in comparison.refused:
        what = LEARNERS[key].name
        why = "features are sparse, as words of texts are, and it takes dense ones only"
        yield f"{what[0].upper()}{what[1:]} was not tried: {why}."
    if finished[made.name].mean() == 1:
        yield "Every test row is right. Check whether a column gives the labels away."
    tables = comparison.of_labels.get(made.name)
    yield from cautions(comparison.data, comparison.divisions[0], pd.concat(tables) if tables else None, made.structure)
    if found.n_rows < found.n_rows_given:
        drawn = f"{found.n_rows:,} of {found.n_rows_given:,} rows"
        some = ", without those that lack labels" * bool(n_incomplete)
        yield f"The comparison used {drawn}{some}, because all rows take longer."
