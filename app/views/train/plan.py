"""The plan of Train: which methods are trained on which data, what is to be known of them, and what is left out."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

from components import catalogue
from components.catalogue import AS_DECIDED, FILLS, SCALINGS, THRESHOLDS
from sklearn.base import BaseEstimator
from state import derived
from state.tuning import Shape
from state.visit_sets import Loaded
from state.workspace import Workspace

from trellislib.data import Dataset
from trellislib.experiment import Given, KFold, Split
from trellislib.experiment.protocols import about_groups, about_weights
from trellislib.graphs import default_width
from trellislib.methods import BASELINES, Baseline, StackedIndependentClassifiers
from trellislib.running.progress import about
from trellislib.wording import agreed, counted
from views.train.form import Choices


@dataclass(frozen=True, eq=False)
class Plan:
    """The choices of the form, made for the data that are loaded and for other data."""

    choices: Choices
    loaded: Loaded
    shape: Shape  # of the trellis, as it is tuned
    trained: Shape  # the same as it is trained, where labels that were swapped by hand stay in their places

    @classmethod
    def of(cls, choices: Choices, workspace: Workspace) -> Plan:
        return cls(choices, workspace.loaded, workspace.shape, workspace.trained)

    @property
    def data(self) -> Dataset:
        return self.loaded.dataset

    @property
    def data_sets(self) -> list[Loaded]:
        return [self.loaded, *self.choices.others]

    @cached_property
    def methods(self) -> list[dict[str, BaseEstimator]]:
        """The methods of each data set, ready to be trained, without those that are refused."""
        shapes = [self.shape.elsewhere(other.dataset.n_labels) for other in self.choices.others]
        made = [self._made, *map(self._make, shapes)]
        return [self._completed(of_one, on.dataset) for of_one, on in zip(made, self.data_sets, strict=True)]

    @cached_property
    def _estimator(self) -> BaseEstimator:
        return self.choices.learner.make(self.choices.parameter, self.choices.seed)

    def _make(self, shape: Shape) -> dict[str, BaseEstimator]:
        asked = self.choices
        return {
            key: catalogue.method(key, self._estimator, asked.settings.get(key, {}), shape, asked.seed)
            for key in asked.methods
        }

    @cached_property
    def _made(self) -> dict[str, BaseEstimator]:
        return self._make(self.trained)

    def _completed(self, made: dict[str, BaseEstimator], data: Dataset) -> dict[str, BaseEstimator]:
        asked, rule = self.choices, THRESHOLDS[self.choices.thresholds]
        cardinality = derived.statistics(data).label_cardinality
        return {
            key: catalogue.with_preprocessing(
                catalogue.thresholded(method, rule, asked.seed, cardinality), asked.scaling, data, asked.fill
            )
            for key, method in made.items()
            if key not in self._refused
        } | {name: self._baseline(name, data) for name in asked.baselines}

    def _baseline(self, name: str, data: Dataset) -> BaseEstimator:
        """Return a baseline, or the control that has the base learner and the decision of the methods."""
        if name in BASELINES:
            return Baseline(BASELINES[name])
        asked = self.choices
        decide = next(iter(asked.settings.values()), {}).get("decide")
        stacked = StackedIndependentClassifiers(self._estimator, decide=decide)
        return catalogue.with_preprocessing(stacked, asked.scaling, data, asked.fill)

    @cached_property
    def _refused(self) -> dict[str, str]:
        """Why methods are left out, in a sentence each."""
        asked = self.choices
        reasons = {
            key: catalogue.refusal(key, method, asked.settings.get(key, {}), self.data, asked.fill)
            for key, method in self._made.items()
        }
        return {key: why for key, why in reasons.items() if why is not None}

    @property
    def refusals(self) -> list[str]:
        """Why the base learner does not fit the features, or methods are left out."""
        asked = self.choices
        unfit = None
        if asked.methods != ("MOF",):  # which takes no base learner
            unfit = catalogue.unfit(asked.learner, self._estimator, asked.scaling, self.data)
        return [*([unfit] if unfit else []), *self._refused.values()]

    @cached_property
    def _with_trellis(self) -> list[str]:
        return [key for key, method in self._made.items() if "width" in method.get_params()]

    @property
    def about_methods(self) -> Iterator[str]:
        """What is to be known of the methods, a sentence or two each."""
        asked, learner = self.choices, self.choices.learner
        if names := self._with_trellis:
            verb = agreed(len(names), "uses", "use")
            own = " Each fold finds its own trellis by its training rows."
            in_place = " All rows placed the labels for every fold, so scores are slightly too high."
            of_fold = own * self.trained.is_searched + in_place * bool(self.trained.order)
            yield f"{', '.join(names)} {verb} the trellis of the Trellis page: {self.shape.words}.{of_fold}"
        if learner.name == catalogue.AUTOMATIC.name:
            seconds = about(derived.costs(self.data).automatic)
            yield (
                f"{learner.name} takes about {seconds} to choose features and penalties for each set of training rows."
            )
        if "MOF" in asked.methods:
            yield "MOF grows its own trees and ignores the base learner."
        settings = asked.settings
        calibrated = [key for key in asked.methods if catalogue.calibrates(key, self._estimator, settings.get(key, {}))]
        if calibrated:
            verb = agreed(len(calibrated), "needs", "need")
            yield (
                f"{learner.name} gives no probabilities, but {', '.join(calibrated)} {verb} them. A logistic model of "
                "its scores gives them for each label."
            )

    @property
    def about_data(self) -> Iterator[str]:
        """What is to be known of the data, a sentence or two each."""
        data, others = self.data, self.choices.others
        if not data.has_features:
            yield "These data have no features, so each method predicts the same labels for every row. Add features."
        protocol = self.choices.protocol
        published = protocol.divide(data, 0) if isinstance(protocol, Given) else []  # no other protocol divides a group
        if data.groups is not None:
            yield about_groups(data, [(train, test) for *_, train, test in published])
        if data.weights is not None:
            yield about_weights(data)
        if catalogue.n_gaps(data) and self.methods[0]:
            yield catalogue.about_gaps(self.methods[0], self.choices.fill, data)
        if data.incomplete is not None:
            n_incomplete = data.incomplete.X.shape[0]
            take = agreed(n_incomplete, "takes", "take")
            yield (
                f"{counted(n_incomplete, 'instance')} with some unknown labels also {take} part. Independent least "
                "squares fills unknown labels for training. They are not scored in testing."
            )
        if others and self._with_trellis:
            widths = [f"{other.dataset.name} {default_width(other.dataset.n_labels)}" for other in others]
            yield f"The trellis has its default width on other data sets: {', '.join(widths)}."

    @property
    def setting(self) -> str:
        """What distinguishes this run from others: whatever is not as it was offered, and the protocol."""
        asked, learner = self.choices, self.choices.learner
        trellis = f"{', '.join(self._with_trellis)}: {self.shape.words}"
        parts = {
            learner.name: True,
            f"{learner.parameter} = {catalogue.in_words(asked.parameter)}": asked.parameter != learner.default,
            f"features {asked.scaling}": asked.scaling != SCALINGS[0],
            f"missing features {asked.fill}": asked.fill != FILLS[0],
            f"thresholds {asked.thresholds}": asked.thresholds != AS_DECIDED,
            **dict.fromkeys(asked.changed, True),
            trellis: bool(self._with_trellis) and self.shape != Shape.default(self.data.n_labels),
            f"seed {asked.seed}": asked.seed != 0,
            f"at most {asked.budget}": asked.budget is not None,
            self._protocol: True,
        }
        return ", ".join(part for part, is_there in parts.items() if is_there)

    @property
    def _protocol(self) -> str:
        protocol = self.choices.protocol
        if isinstance(protocol, Split):
            return f"{100 * protocol.test:g}% test"
        if isinstance(protocol, Given):
            return f"as published, {protocol.n_train:,} of {self.data.n_instances:,} rows train"
        return protocol.words

    @property
    def title(self) -> str:
        """What training it does, as the text of a button."""
        protocol = self.choices.protocol
        folds = f" in {protocol.words.removesuffix('-fold')} folds" if isinstance(protocol, KFold) else ""
        where = self.data.name if not self.choices.others else f"{len(self.data_sets)} data sets"
        return f"Train {counted(len(self.methods[0]), 'method')}{folds} on {where}"
