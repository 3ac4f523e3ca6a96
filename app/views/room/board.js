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
    status: find(".status"),
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
  announce(board, data.status)
  if (name) board.root.querySelector(`.thing[data-name="${name}"]`)?.focus()
  if (focused(board, board.wall) && board.wall.matches(":focus-visible")) preview(board, board.at)
}

function thing(board, kind, index, [x, y], name) {
  const isSensor = kind === "sensor"
  const radius = isSensor ? 0.17 : 0.2
  const [cx, cy] = [x, SIDE - y]
  const element = make(
    "g",
    { class: `thing ${isSensor ? "sensor" : "end"}`, tabindex: 0, role: "button", "aria-label": name },
    make("title", {}, name),
    make("circle", { cx, cy, r: 0.4, class: "reach" }),
    make("circle", { cx, cy, r: radius, class: "dot" }),
    make("circle", { cx, cy, r: 0.33, class: "ring" })
  )
  element.dataset.name = `${kind}${index}`
  if (isSensor) element.classList.toggle("fires", Boolean(board.data.fires[index]))
  element.onfocus = () => {
    choose(board, isSensor ? index : null)
    announce(board, `${name}. Arrow keys move it${isSensor ? ", Delete removes it" : ""}.`)
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
    announce(board, "The last sensor stays.")
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
  announce(board, `Row ${row + 1}, column ${column + 1}: ${under(board, tile) ? "a person stands here" : "nobody here"}.`)
}

function toggle(board) {
  board.act(["tile", ...board.at])
}

function announce(board, text) {
  board.status.textContent = text
}
