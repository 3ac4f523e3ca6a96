"""The room from above, to be changed by hand: by drag, by touch or by keyboard. It runs in the browser.

A tile that is touched gets a person, or loses the one on it. Sensors and the ends of the light are dragged, or chosen
by Tab and moved by arrow keys; what a browser sends is an `Action`, checked before it is believed.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
import streamlit as st

from trellislib.data.room import SIDE, Room
from trellislib.data.room_scenes import person_side
from views.room.state import MOST_SENSORS, Body

_HTML = """
<div class="room">
  <p class="told" aria-live="polite"></p>
  <div class="tools" role="toolbar" aria-label="Sensors">
    <button type="button" class="add" title="Or double-click beside a wall">Add a sensor</button>
    <button type="button" class="remove" disabled>Remove sensor</button>
  </div>
  <svg viewBox="-0.8 -0.8 11.6 11.6" role="group" aria-label="The room from above">
    <defs>
      <pattern id="hatch" width="0.24" height="0.24" patternUnits="userSpaceOnUse" patternTransform="rotate(45)">
        <line x1="0" y1="0" x2="0" y2="0.24" class="hatch"/>
      </pattern>
    </defs>
    <g class="zones"></g>
    <g class="floor"></g>
    <g class="people"></g>
    <rect class="wall" x="0" y="0" width="10" height="10" tabindex="0" role="application"></rect>
    <rect class="cursor" pointer-events="none"></rect>
    <g class="things"></g>
  </svg>
</div>
"""

_CSS = """
.room {font-family: var(--st-font); color: var(--st-text-color); max-width: 560px; --fires: #0072B2; --person: #C04F00;
  --quiet: #7d8896}
.told {margin: 0 0 6px; font-size: 14px; min-height: 2.6em; line-height: 1.3}
.tools {display: flex; gap: 8px; margin: 0 0 6px}
.tools button {font: inherit; font-size: 13px; min-height: 32px; padding: 2px 10px; border-radius: 6px;
  border: 1px solid var(--quiet); background: transparent; color: inherit; cursor: pointer}
.tools button:disabled {opacity: 0.75; cursor: default; border-style: dashed}
.tools button:focus-visible {outline: 3px solid var(--st-text-color); outline-offset: 2px}
svg {display: block; width: 100%; height: auto; user-select: none; -webkit-user-select: none}
.wall {fill: transparent; stroke: var(--quiet); stroke-width: 0.05; cursor: pointer; touch-action: manipulation}
.wall:focus {outline: none}
.wall:focus-visible {stroke: var(--st-text-color); stroke-width: 0.1}
.line {stroke: var(--quiet); stroke-width: 0.015; opacity: 0.5}
.hatch {stroke: var(--quiet); stroke-width: 0.06}
.zone {fill: var(--fires); stroke: var(--fires); stroke-width: 0.03; stroke-opacity: 0.5}
.silent {fill: none; stroke: var(--quiet); stroke-width: 0.015; stroke-dasharray: 0.1 0.1; opacity: 0.6}
.person {fill: var(--person); stroke: var(--person); stroke-width: 0.04; fill-opacity: 0.85}
.cursor {fill: none; stroke: var(--st-text-color); stroke-width: 0.06; stroke-dasharray: 0.14 0.1; display: none}
.light {stroke: #B87800; stroke-width: 0.2; stroke-linecap: round}
.thing {cursor: grab; touch-action: none; outline: none}
.thing .reach {fill: transparent}
.thing .dot {stroke-width: 0.07}
.sensor .dot {fill: var(--st-background-color); stroke: var(--quiet)}
.sensor.fires .dot {fill: var(--fires); stroke: var(--fires)}
.end .dot {fill: #B87800; stroke: var(--st-background-color)}
.thing .ring {fill: none; stroke: var(--st-text-color); stroke-width: 0.07; display: none}
.thing.chosen .ring {display: block; stroke-dasharray: 0.12 0.08}
.thing:focus-visible .ring {display: block; stroke-dasharray: none}
"""

_JS = """
const boards = new WeakMap()
const SVG = "http://www.w3.org/2000/svg"
const SLOP = 4 // pixels that a press may move and still be a press
const SIDE = 10

export default function (component) {
  const { parentElement, data, setTriggerValue } = component
  let board = boards.get(parentElement)
  if (!board) {
    board = create(parentElement)
    boards.set(parentElement, board)
  }
  board.act = action => setTriggerValue("acted", action)
  show(board, data)
  return () => boards.delete(parentElement)
}

function create(root) {
  const find = name => root.querySelector(name)
  const board = {
    root,
    svg: find("svg"),
    told: find(".told"),
    zones: find(".zones"),
    floor: find(".floor"),
    people: find(".people"),
    wall: find(".wall"),
    cursor: find(".cursor"),
    things: find(".things"),
    remove: find(".remove"),
    add: find(".add"),
    at: [0, 0],
    drag: null,
    chosen: null,
  }
  const { wall } = board
  wall.onclick = event => {
    const tile = tileAt(board, event)
    board.at = tile
    toggle(board)
  }
  wall.onpointermove = event => event.pointerType === "mouse" && preview(board, tileAt(board, event))
  wall.onpointerleave = () => !focused(board, wall) && hide(board)
  wall.onfocus = () => wall.matches(":focus-visible") && walk(board, board.at)
  wall.onblur = () => hide(board)
  wall.onkeydown = event => {
    const { width } = board.data
    const [row, column] = board.at
    const step = event.shiftKey ? Math.max(1, Math.round(width / 10)) : 1
    const to = {
      ArrowLeft: [row, column - step],
      ArrowRight: [row, column + step],
      ArrowUp: [row + step, column],
      ArrowDown: [row - step, column],
      Home: [row, 0],
      End: [row, width - 1],
    }[event.key]
    if (to) walk(board, to.map(place => Math.min(Math.max(place, 0), width - 1)))
    else if (event.key === " " || event.key === "Enter") toggle(board)
    else return
    event.preventDefault()
    event.stopPropagation()
  }
  board.svg.ondblclick = event => {
    const [x, y] = point(board, event)
    const onWall = Math.min(Math.abs(x), Math.abs(y), Math.abs(SIDE - x), Math.abs(SIDE - y)) < 0.7
    const isWall = event.target === board.svg
    if (isWall && onWall) board.act(["add", inside(x), inside(y)])
  }
  board.add.onclick = () => board.act(["add", null, null])
  board.remove.onclick = () => board.chosen !== null && drop(board, board.chosen)
  return board
}

function focused(board, element) {
  return (board.root.activeElement ?? board.root.ownerDocument.activeElement) === element
}

function make(name, attributes, ...children) {
  const element = document.createElementNS(SVG, name)
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value)
  element.append(...children)
  return element
}

function show(board, data) {
  const text = JSON.stringify(data)
  if (board.text === text) return
  board.text = text
  const held = board.root.querySelector(".thing:focus")
  const name = held?.dataset.name
  const { width, shadow, people, sensors, light, fires } = data
  board.data = data
  board.drag = null
  board.at = board.at.map(place => Math.min(place, width - 1))
  const size = SIDE / width
  const zone = index => [sensors[index], ...light].map(([x, y]) => `${x},${SIDE - y}`).join(" ")
  const many = Math.max(1, fires.filter(Boolean).length)
  const opacity = Math.min(0.2, 1 - 0.6 ** (1 / many))
  const order = sensors.map((_, index) => index).sort((one, other) => fires[one] - fires[other])
  board.zones.replaceChildren(
    ...order.map(index =>
      make("polygon", {
        points: zone(index),
        class: fires[index] ? "zone" : "silent",
        "data-of": index,
        ...(fires[index] ? { "fill-opacity": opacity } : {}),
      })
    )
  )
  const hatches = shadow.map(([row, from, to]) =>
    make("rect", {
      x: from * size, y: SIDE - (row + 1) * size, width: (to - from) * size, height: size, fill: "url(#hatch)",
    })
  )
  const lines = []
  if (width <= 40) {
    for (let place = 1; place < width; place++) {
      const at = place * size
      lines.push(make("line", { x1: at, x2: at, y1: 0, y2: SIDE, class: "line" }))
      lines.push(make("line", { y1: at, y2: at, x1: 0, x2: SIDE, class: "line" }))
    }
  }
  board.floor.replaceChildren(...hatches, ...lines)
  board.people.replaceChildren(
    ...people.map(([row, column, height, breadth]) =>
      make("rect", {
        x: column * size, y: SIDE - (row + height) * size, width: breadth * size, height: height * size,
        rx: Math.min(0.15, size / 4), class: "person",
      })
    )
  )
  const bar = make("line", {
    x1: light[0][0], y1: SIDE - light[0][1], x2: light[1][0], y2: SIDE - light[1][1], class: "light",
  })
  const ends = light.map((place, index) => thing(board, "light", index, place, `End ${index + 1} of the light`))
  const all = sensors.map((place, index) => thing(board, "sensor", index, place, data.names[index]))
  board.things.replaceChildren(bar, ...ends, ...all)
  if (board.chosen !== null && board.chosen >= sensors.length) board.chosen = null
  choose(board, board.chosen)
  board.wall.setAttribute(
    "aria-label",
    `Floor of ${width} by ${width} tiles: arrow keys walk, Shift by more, Space places or removes a person`
  )
  tell(board, data.told)
  if (name) board.root.querySelector(`.thing[data-name="${name}"]`)?.focus()
  if (focused(board, board.wall) && board.wall.matches(":focus-visible")) preview(board, board.at)
}

function thing(board, kind, index, [x, y], told) {
  const isSensor = kind === "sensor"
  const radius = isSensor ? 0.17 : 0.2
  const [cx, cy] = [x, SIDE - y]
  const element = make(
    "g",
    { class: `thing ${isSensor ? "sensor" : "end"}`, tabindex: 0, role: "button", "aria-label": told },
    make("title", {}, told),
    make("circle", { cx, cy, r: 0.4, class: "reach" }),
    make("circle", { cx, cy, r: radius, class: "dot" }),
    make("circle", { cx, cy, r: 0.33, class: "ring" })
  )
  element.dataset.name = `${kind}${index}`
  if (isSensor) element.classList.toggle("fires", Boolean(board.data.fires[index]))
  element.onfocus = () => {
    choose(board, isSensor ? index : null)
    tell(board, `${told}. Arrow keys move it${isSensor ? ", Delete removes it" : ""}.`)
  }
  element.onkeydown = event => {
    const step = event.shiftKey ? 1 : 0.25
    const by = { ArrowLeft: [-step, 0], ArrowRight: [step, 0], ArrowUp: [0, step], ArrowDown: [0, -step] }[event.key]
    if (by) board.act([kind, index, inside(x + by[0]), inside(y + by[1])])
    else if (isSensor && (event.key === "Delete" || event.key === "Backspace")) drop(board, index)
    else return
    event.preventDefault()
    event.stopPropagation()
  }
  element.onpointerdown = event => {
    if (event.button !== 0) return
    element.setPointerCapture(event.pointerId)
    element.focus({ preventScroll: true })
    board.drag = { element, x: event.clientX, y: event.clientY, moving: false }
  }
  element.onpointermove = event => {
    const drag = board.drag
    if (drag?.element !== element) return
    if (!drag.moving && Math.hypot(event.clientX - drag.x, event.clientY - drag.y) < SLOP) return
    drag.moving = true
    const [toX, toY] = point(board, event).map(inside)
    drag.to = [toX, toY]
    element.setAttribute("transform", `translate(${toX - x} ${y - toY})`)
    stretch(board, kind, index, [toX, toY])
  }
  element.onpointerup = () => {
    const drag = board.drag
    board.drag = null
    if (drag?.element === element && drag.moving) board.act([kind, index, ...drag.to])
  }
  element.onpointercancel = () => {
    board.drag = null
    element.removeAttribute("transform")
    stretch(board, kind, index, [x, y])
  }
  return element
}

function stretch(board, kind, index, to) { // the triangles, while something is dragged
  const light = board.data.light.map((end, at) => (kind === "light" && at === index ? to : end))
  for (const zone of board.zones.children) {
    const of = Number(zone.dataset.of)
    const sensor = kind === "sensor" && of === index ? to : board.data.sensors[of]
    zone.setAttribute("points", [sensor, ...light].map(([x, y]) => `${x},${SIDE - y}`).join(" "))
  }
}

function choose(board, index) {
  board.chosen = index
  board.remove.disabled = index === null || board.data.sensors.length < 2
  board.remove.textContent = index === null ? "Remove sensor" : `Remove sensor ${index + 1}`
  for (const element of board.things.querySelectorAll(".sensor")) {
    element.classList.toggle("chosen", element.dataset.name === `sensor${index}`)
  }
}

function drop(board, index) {
  if (board.data.sensors.length < 2) {
    tell(board, "The last sensor stays.")
    return
  }
  board.chosen = null
  board.act(["remove", index])
}

function point(board, event) {
  const at = new DOMPoint(event.clientX, event.clientY).matrixTransform(board.svg.getScreenCTM().inverse())
  return [at.x, SIDE - at.y]
}

function inside(place) {
  return Math.round(Math.min(Math.max(place, 0), SIDE) * 100) / 100
}

function tileAt(board, event) {
  const { width } = board.data
  const [x, y] = point(board, event)
  return [y, x].map(place => Math.min(Math.max(Math.floor((place * width) / SIDE), 0), width - 1))
}

function under(board, [row, column]) {
  return board.data.people.find(
    ([low, left, height, breadth]) =>
      row >= low && row < low + height && column >= left && column < left + breadth
  )
}

function preview(board, tile) {
  const { width, block } = board.data
  const found = under(board, tile)
  const low = tile.map(place => Math.min(Math.max(place - Math.floor(block / 2), 0), width - block))
  const [row, column, height, breadth] = found ?? [...low, block, block]
  const size = SIDE / width
  const box = { x: column * size, y: SIDE - (row + height) * size, width: breadth * size, height: height * size }
  for (const [key, value] of Object.entries(box)) board.cursor.setAttribute(key, value)
  board.cursor.style.display = "block"
}

function hide(board) {
  board.cursor.style.display = "none"
}

function walk(board, tile) {
  board.at = tile
  preview(board, tile)
  const [row, column] = tile
  tell(board, `Row ${row + 1}, column ${column + 1}: ${under(board, tile) ? "a person stands here" : "nobody here"}.`)
}

function toggle(board) {
  board.act(["tile", ...board.at])
}

function tell(board, text) {
  board.told.textContent = text
}
"""

_board = st.components.v2.component("trellis_room_board", html=_HTML, css=_CSS, js=_JS)


@dataclass(frozen=True)
class Action:
    """What somebody did on the board: `what`, on which sensor or end, and where in the room or on which tile."""

    what: str  # "tile", "sensor", "light", "add" or "remove"
    index: int = -1
    x: float | None = None
    y: float | None = None
    row: int = -1
    column: int = -1


def read_action(sent: object, room: Room) -> Action | None:
    """Return what a browser sent as an action in this room, None where it is none."""
    if not isinstance(sent, list) or not sent:
        return None
    what, *rest = sent
    if what == "tile" and _are_indices(rest, room.width, room.width):
        return Action("tile", row=rest[0], column=rest[1])
    if what == "remove" and _are_indices(rest, room.n_sensors) and room.n_sensors > 1:
        return Action("remove", rest[0])
    if what == "add" and room.n_sensors < MOST_SENSORS and (rest == [None, None] or _are_places(rest)):
        return Action("add", x=rest[0], y=rest[1])
    most = {"sensor": room.n_sensors, "light": 2}.get(what) if isinstance(what, str) else None
    if most and len(rest) == 3 and _are_indices(rest[:1], most) and _are_places(rest[1:]):
        return Action(what, rest[0], float(rest[1]), float(rest[2]))
    return None


def _are_indices(given: list, *ends: int) -> bool:
    return len(given) == len(ends) and all(
        type(one) is int and 0 <= one < end for one, end in zip(given, ends, strict=True)
    )


def _are_places(given: list) -> bool:
    return len(given) == 2 and all(type(one) in (int, float) and 0 <= one <= SIDE for one in given)


def room_board(
    room: Room,
    bodies: Sequence[Body],
    reading: np.ndarray,
    chances: np.ndarray,
    *,
    key: str,
    on_action: Callable[[Action], None],
) -> None:
    """Show a room to be changed by hand; `on_action` is called with what somebody did.

    `reading` is the share of positive measurements of each sensor, `chances` the probability of one.
    """

    def acted() -> None:
        action = read_action(st.session_state[key].acted, room)
        if action is not None:
            on_action(action)

    fires = reading > 0.5
    reports = ["detects something" if one else "detects nothing" for one in fires]
    n_firing = int(fires.sum())
    _board(
        data={
            "width": room.width,
            "block": person_side(room.width),
            "people": [list(body) for body in bodies],
            "sensors": room.sensors.tolist(),
            "light": room.light.tolist(),
            "fires": fires.astype(int).tolist(),
            "names": [
                f"Sensor {index + 1} at {x:.3g}, {y:.3g}: {report}, chance {chance:.3g}"
                for index, ((x, y), report, chance) in enumerate(zip(room.sensors, reports, chances, strict=True))
            ],
            "shadow": _runs(~room.zones().any(axis=0), room.width),
            "told": "Touch a tile: a person comes or goes. Drag sensors, and the ends of the light. "
            f"{n_firing} of {room.n_sensors} sensors detect something (filled).",
        },
        key=key,
        on_acted_change=acted,
    )


def _runs(among: np.ndarray, width: int) -> list[list[int]]:
    """Return each run of marked tiles along a row: its row, its first column, and the column after its last."""
    runs = []
    for row, cells in enumerate(among.reshape(width, width).astype(int)):
        ends = np.flatnonzero(np.diff(cells, prepend=0, append=0)).reshape(-1, 2)
        runs += [[row, int(first), int(last)] for first, last in ends]
    return runs
