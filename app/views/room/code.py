"""The Python of what the Room page shows."""

from __future__ import annotations

from views.room.knobs import Asked, Knobs


def _room(knobs: Knobs) -> list[str]:
    default = f"Room.default({knobs.width}, {knobs.n_sensors}, {knobs.false_negative!r}, {knobs.false_positive!r})"
    if not knobs.layout:
        return [f"room = {default}"]
    light, sensors = knobs.room.light.tolist(), knobs.room.sensors.tolist()
    return [
        f"light = np.array({light})",
        f"sensors = np.array({sensors})",
        f"room = Room({knobs.width}, sensors, light, {knobs.false_negative!r}, {knobs.false_positive!r})",
    ]


def of_scene(asked: Asked, is_trained: bool) -> str:
    knobs = asked.knobs
    blocks = [
        f"floor[{row}:{row + height}, {column}:{column + width}] = 1" for row, column, height, width in asked.bodies
    ]
    measured = f"n_measurements={knobs.n_measurements}"
    scenes = f"{'paper' if knobs.scenes == 'paper' else 'people'}_scenes"
    learnt = "fit_room_methods" if is_trained else "map_estimate"
    lines = [
        "import numpy as np",
        "",
        "from trellislib.data.room import Room",
        f"from trellislib.data.room_scenes import {scenes}" + ", simulate_scenes" * is_trained,
        "from trellislib.figures import room_estimates_figure",
        "from trellislib.metrics import accuracy, hamming_score",
        f"from trellislib.room import BestDecisions, {learnt}, room_posterior",
        "",
        *_room(knobs),
        f"scenes = {scenes}(room)",
        f"floor = np.zeros(({knobs.width}, {knobs.width}), dtype=np.int8)",
        *blocks,
        "tiles = floor.ravel()",
        f"rng = np.random.default_rng([{knobs.seed}, {asked.reading}])",
        f"observed = room.observe(tiles[None], {knobs.n_measurements}, rng)",
        "",
    ]
    if is_trained:
        lines += [
            "training = simulate_scenes(",
            f"    room, scenes, {knobs.n_training}, {measured}, n_flips={knobs.n_flips}, random_state={knobs.seed}",
            ")",
            "methods = fit_room_methods(",
            f"    room, training, placement={knobs.placement!r}, n_sweeps={knobs.n_sweeps}, random_state={knobs.seed}",
            ")",
            "estimates = methods.estimates(observed[0])",
        ]
    else:
        lines.append('estimates = {"MAP": map_estimate(room, observed)[0]}')
    lines += [
        f"posterior = room_posterior(room, scenes, observed, {measured}, n_flips={knobs.n_flips})",
        'known = {"Truth": tiles, "Optimum": posterior.marginals[0], "MAP": estimates["MAP"]}',
        "shown = known | estimates",
        f"decisions = BestDecisions(room, scenes, {measured})  # of the scene itself, without flips",
        '[best] = decisions.of(observed, ("hamming_score", "accuracy"))',
        "captions = {}",
        "for name in shown.keys() - {'Truth'}:",
        "    likely = (shown[name] > 0.5).astype(int)[None]",
        "    decided = best if name == 'Optimum' else dict.fromkeys(best, likely)",
        '    hamming = hamming_score(tiles[None], decided["hamming_score"])',
        '    jaccard = accuracy(tiles[None], decided["accuracy"])',
        '    captions[name] = f"Hamming {hamming:.3f}", f"accuracy {jaccard:.3f}"',
        "room_estimates_figure(room, shown, tiles, captions=captions).show()",
    ]
    return "\n".join(lines)


def of_tables(scale: float) -> str:
    """Return the script of the comparison at both widths."""
    return f"""\
from trellislib.data.room import Room
from trellislib.data.room_scenes import paper_scenes
from trellislib.paper import published
from trellislib.room import compare_room, paper_sizes

print(published("map_room"))
for width in (20, 100):
    room, (n_training, n_test) = Room.default(width), paper_sizes(width, {scale})
    print(
        compare_room(
            room, paper_scenes(room), n_training=n_training, n_test=n_test, n_flips=room.n_labels // 100, random_state=0
        )
    )"""
