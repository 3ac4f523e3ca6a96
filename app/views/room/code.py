"""The Python of what the Room page shows."""

from __future__ import annotations

import numpy as np
from state.call import Call, Script, known

from trellislib.data.room import Room
from trellislib.data.room_scenes import paper_scenes, people_scenes, simulate_scenes
from trellislib.figures import room_estimates_figure
from trellislib.metrics import accuracy, hamming_score
from trellislib.paper import published
from trellislib.room import (
    BestDecisions,
    RoomMethods,
    compare_room,
    fit_room_methods,
    paper_sizes,
    room_posterior,
)
from views.room.setting import Asked, Knobs


def _room(knobs: Knobs) -> Call:
    rates = knobs.false_negative, knobs.false_positive
    if not knobs.layout:
        return Call(Room.default, knobs.width, knobs.n_sensors, *rates).named("room")
    return Call(Room, knobs.width, knobs.room.sensors, knobs.room.light, *rates).named("room")


def of_scene(asked: Asked, is_trained: bool) -> Script:
    """Return the script of one scene and its estimates."""
    knobs, room, script = asked.knobs, _room(asked.knobs), Script()
    scenes = Call(paper_scenes if knobs.scenes == "paper" else people_scenes, room).named("scenes")
    script.use(scenes).add(f"floor = zeros(({knobs.width}, {knobs.width}), dtype=int8)", np.zeros, np.int8)
    for row, column, height, width in asked.bodies:
        script.add(f"floor[{row}:{row + height}, {column}:{column + width}] = 1")
    script.add("tiles = floor.ravel()")
    rng = Call(np.random.default_rng, [knobs.seed, asked.reading])
    observed = room.observe(known("tiles[None]", asked.tiles[None]), knobs.n_measurements, rng).named("observed")
    measured = {"n_measurements": knobs.n_measurements}
    if is_trained:
        drawn = {"random_state": knobs.seed}
        training = Call(simulate_scenes, room, scenes, knobs.n_training, **measured, n_flips=knobs.n_flips, **drawn)
        chosen = {"estimator": knobs.estimator, "decide": knobs.decide}
        sampled = {"placement": knobs.placement, "n_sweeps": knobs.n_sweeps}
        methods = Call(fit_room_methods, room, training.named("training"), **chosen, **sampled, **drawn)
    else:
        methods = Call(RoomMethods, room, {}, {})
    script.use(methods.named("methods"), methods.infer(observed[0]).named("inferred"))
    posterior = Call(room_posterior, room, scenes, observed, **measured, n_flips=knobs.n_flips).named("posterior")
    decisions = Call(BestDecisions, room, scenes, **measured).named("decisions")
    return (
        script.use(posterior)
        .add("# Decisions are of the scene itself, without flips.")
        .use(decisions)
        .add(
            """shown = {"Truth": tiles, "Optimum": posterior.marginals[0], "MAP": None} | inferred.probabilities
[best] = decisions.of(observed, ("hamming_score", "accuracy"))
decided = {"Truth": tiles, "Optimum": best["accuracy"][0]} | inferred.decided
captions = {}
for name in shown.keys() - {"Truth"}:
    for_hamming = best["hamming_score"][0] if name == "Optimum" else decided[name]
    hamming = hamming_score(tiles[None], for_hamming[None])
    jaccard = accuracy(tiles[None], decided[name][None])
    captions[name] = f"Hamming {hamming:.3f}", f"accuracy {jaccard:.3f}"
room_estimates_figure(room, shown, tiles, captions=captions, decided=decided).show()""",
            hamming_score,
            accuracy,
            room_estimates_figure,
        )
    )


def of_tables(scale: float) -> Script:
    """Return the script of the comparison at both widths."""
    script = Script().print(Call(published, "map_room"))
    for width in (20, 100):
        room = Call(Room.default, width).named("room")
        n_training, n_test = Call(paper_sizes, width, scale).value
        sizes = {"n_training": n_training, "n_test": n_test, "n_flips": width * width // 100}
        script.print(Call(compare_room, room, Call(paper_scenes, room), **sizes, random_state=0))
    return script
