"""How many people methods find in the room: ``PYTHONPATH=app python tests/benchmarks/people.py``, about a minute.

As the Room page opens, and in larger rooms, methods are trained once and meet 100 scenes that are drawn as those they
learned from. Prints for each method how many of their people it finds (half of a person's tiles are marked), as a share
of those that the optimum finds, how many empty tiles it marks in a scene, and its accuracy and Hamming score.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from common import show
from views.room import estimates
from views.room.setting import DEFAULT, Asked, Knobs, scenes_of
from views.room.state import bodies_of

from trellislib.room.posterior import OPTIMUM

N_SCENES = 100
ROOMS = {
    "as the page opens": DEFAULT,
    "N = 5,000": replace(DEFAULT, n_training=5000),
    "scenes of the paper": replace(DEFAULT, scenes="paper"),
    "W = 20": replace(DEFAULT, width=20),
}


def rows_of(room: str, knobs: Knobs) -> list[dict[str, str | float]]:
    """Return a row for each method: what it finds in all scenes together."""
    methods = estimates.fitted(knobs)
    drawn = scenes_of(knobs.width, knobs.scenes).drawn(N_SCENES, np.random.default_rng(1)).toarray()
    scenes = [Asked(knobs, bodies_of(tiles, knobs.width), reading) for reading, tiles in enumerate(drawn)]
    scores = [estimates.of_reading(asked, asked.observed(), methods).scores for asked in scenes]
    n_found = sum(of_scene["n_found"] for of_scene in scores)
    n_people = sum(len(asked.bodies) for asked in scenes)
    return [
        {
            "room": room,
            "method": name,
            "people": n_people,
            "found": int(found),
            "% of the optimum's": 100 * found / n_found[OPTIMUM],
            **{
                what: float(np.mean([of_scene.at[name, column] for of_scene in scores]))
                for what, column in {
                    "empty tiles marked": "n_false",
                    "accuracy": "accuracy",
                    "Hamming score": "hamming_score",
                }.items()
            },
        }
        for name, found in n_found.items()
    ]


def main() -> None:
    """Measure and print."""
    show([row for room, knobs in ROOMS.items() for row in rows_of(room, knobs)])


if __name__ == "__main__":
    main()
