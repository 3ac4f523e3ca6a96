const boards = new WeakMap()
const SVG = "http://www.w3.org/2000/svg"
const SLOP = 6 // pixels that a press may move and still be a press

export default function (component) {
  const { parentElement, data, setTriggerValue } = component
  let board = boards.get(parentElement)
  if (!board) {
    board = create(parentElement)
    boards.set(parentElement, board)
  }
  board.swap = (one, other) => setTriggerValue("swapped", [one, other])
  show(board, data)
  return () => {
    board.observer.disconnect()
    boards.delete(parentElement)
  }
}

function create(root) {
  const board = {
    root,
    status: root.querySelector(".status"),
    cells: root.querySelector(".cells"),
    svg: root.querySelector("svg"),
    buttons: [],
    held: null,
    drag: null,
    at: 0,
  }
  board.observer = new ResizeObserver(() => {
    if (!board.drag) board.status.style.minHeight = ""
    arrows(board)
  })
  board.observer.observe(board.cells)
  return board
}

function show(board, data) {
  const same = board.data && JSON.stringify(board.data) === JSON.stringify(data)
  const was = new Map()
  const focused = board.buttons.includes(board.root.activeElement)
  if (same) return
  const before = board.data
  board.buttons.forEach((button, cell) => was.set(before.order[cell], button.getBoundingClientRect()))
  board.data = data
  board.held = board.drag = null
  const { order, names, width, moved, named } = data
  board.cells.classList.toggle("small", !named)
  board.cells.style.gridTemplateColumns = `repeat(${width}, minmax(0, 1fr))`
  board.cells.classList.toggle("tight", width > 8)
  const gap = !named ? 4 : width > 8 ? 10 : Math.min(40, 200 / width)
  board.cells.style.setProperty("--gap", `${gap}px`)
  board.cells.style.setProperty("--aside", `${named ? Math.min(gap, Math.max(10, 100 / width)) : gap}px`) // names need room
  board.cells.replaceChildren()
  board.buttons = []
  for (let start = 0; start < order.length; start += width) {
    const row = document.createElement("div")
    row.className = "row"
    row.setAttribute("role", "row")
    for (let cell = start; cell < Math.min(start + width, order.length); cell++) {
      const holder = document.createElement("div")
      holder.className = "cell"
      holder.setAttribute("role", "gridcell")
      holder.append(box(board, cell))
      row.append(holder)
    }
    board.cells.append(row)
  }
  board.at = Math.min(board.at, order.length - 1)
  rove(board, board.at, focused)
  announce(board, data.help)
  arrows(board)
  const still = matchMedia("(prefers-reduced-motion: reduce)").matches
  if (before && before.names.length === names.length && !still) glide(board, was)
}

function box(board, cell) {
  const { order, names, moved, named, width } = board.data
  const label = order[cell]
  const button = document.createElement("button")
  const isMoved = moved.includes(label)
  button.type = "button"
  button.textContent = named ? (isMoved ? "⇄ " : "") + names[label] : ""
  button.title = names[label]
  const place = `row ${Math.floor(cell / width) + 1}, column ${(cell % width) + 1}`
  button.setAttribute("aria-label", `${names[label]}, ${place}${isMoved ? ", moved by hand" : ""}`)
  button.setAttribute("aria-pressed", "false")
  button.classList.toggle("moved", isMoved)
  button.tabIndex = -1
  button.onkeydown = event => key(board, cell, event)
  button.onpointerdown = event => press(board, cell, event)
  button.onpointermove = event => drag(board, cell, event)
  button.onpointerup = event => drop(board, cell, event)
  button.onpointercancel = () => cancel(board)
  button.onlostpointercapture = () => board.drag && !board.drag.ended && cancel(board)
  button.onfocus = () => {
    rove(board, cell, false)
    if (!named) announceCell(board, cell)
  }
  board.buttons.push(button)
  return button
}

function rove(board, cell, focus) {
  if (board.buttons[board.at]) board.buttons[board.at].tabIndex = -1
  board.at = cell
  const button = board.buttons[cell]
  if (!button) return
  button.tabIndex = 0
  if (focus) button.focus()
}

function nameAt(board, cell) {
  return board.data.names[board.data.order[cell]]
}

function announce(board, text) {
  board.status.style.minHeight = `${board.status.offsetHeight}px` // or the board would move under the pointer
  board.status.textContent = text
}

function announceCell(board, cell) { // where cells bear no names
  const held = board.held === null || board.held === cell ? "" : `${nameAt(board, board.held)} is picked up. Here: `
  announce(board, held + board.buttons[cell].getAttribute("aria-label"))
}

function hold(board, cell) {
  board.held = cell
  board.buttons[cell].classList.add("held")
  board.buttons[cell].setAttribute("aria-pressed", "true")
  announce(board, `${nameAt(board, cell)} is picked up: choose the label that it changes places with. Escape lets it go.`)
}

function cancel(board, text) {
  if (board.held !== null) {
    const button = board.buttons[board.held]
    button.classList.remove("held", "dragged")
    button.style.transform = ""
    button.setAttribute("aria-pressed", "false")
  }
  board.buttons.forEach(button => button.classList.remove("over"))
  board.held = board.drag = null
  announce(board, text ?? board.data.help)
}

function finish(board, other) {
  const one = board.held
  const names = [nameAt(board, one), nameAt(board, other)]
  cancel(board, `${names[0]} and ${names[1]} change places.`)
  board.swap(board.data.order[one], board.data.order[other])
}

function choose(board, cell) {
  if (board.held === null) hold(board, cell)
  else if (board.held === cell) cancel(board)
  else finish(board, cell)
}

function key(board, cell, event) {
  const { order, width } = board.data
  const column = cell % width
  const row = cell - column
  const end = Math.min(row + width, order.length) - 1
  const to = {
    ArrowLeft: Math.max(cell - 1, row),
    ArrowRight: Math.min(cell + 1, end),
    ArrowUp: cell - width < 0 ? cell : cell - width,
    ArrowDown: cell + width < order.length ? cell + width : cell,
    Home: row,
    End: end,
  }[event.key]
  if (to !== undefined) rove(board, to, true)
  else if (event.key === "Enter" || event.key === " ") choose(board, cell)
  else if (event.key === "Escape" && board.held !== null) cancel(board, "Nothing has changed.")
  else return
  event.preventDefault()
  event.stopPropagation()
}

function press(board, cell, event) {
  if (event.button !== 0) return
  const button = board.buttons[cell]
  button.focus({ preventScroll: true })
  button.setPointerCapture(event.pointerId)
  board.drag = { cell, x: event.clientX, y: event.clientY, moving: false, over: null, ended: false }
}

function under(board, event) {
  const found = board.root.elementsFromPoint(event.clientX, event.clientY)
  return board.buttons.findIndex((button, cell) => found.includes(button) && cell !== board.drag.cell)
}

function drag(board, cell, event) {
  const drag = board.drag
  if (!drag || drag.cell !== cell) return
  const [x, y] = [event.clientX - drag.x, event.clientY - drag.y]
  if (!drag.moving) {
    if (Math.hypot(x, y) < SLOP) return
    if (board.held !== null) cancel(board)
    board.drag = drag
    drag.moving = true
    hold(board, cell)
    board.buttons[cell].classList.add("dragged")
  }
  board.buttons[cell].style.transform = `translate(${x}px, ${y}px)`
  const over = under(board, event)
  if (over !== drag.over) {
    if (drag.over >= 0 && drag.over !== null) board.buttons[drag.over].classList.remove("over")
    if (over >= 0) board.buttons[over].classList.add("over")
    drag.over = over
  }
}

function drop(board, cell, event) {
  const drag = board.drag
  if (!drag || drag.cell !== cell) return
  drag.ended = true
  if (!drag.moving) {
    board.drag = null
    choose(board, cell)
    return
  }
  const over = under(board, event)
  if (over >= 0) finish(board, over)
  else cancel(board, "Nothing has changed.")
}

function glide(board, was) {
  board.buttons.forEach((button, cell) => {
    const from = was.get(board.data.order[cell])
    if (!from) return
    const to = button.getBoundingClientRect()
    const [x, y] = [from.left - to.left, from.top - to.top]
    if (!x && !y) return
    const frames = [{ transform: `translate(${x}px, ${y}px)`, zIndex: 5 }, { transform: "none", zIndex: 5 }]
    button.animate(frames, { duration: 250, easing: "ease-out" })
  })
}

function arrows(board) {
  const { edges, width, named } = board.data
  const base = board.cells.getBoundingClientRect()
  board.svg.replaceChildren()
  if (!base.width) return
  const rects = board.buttons.map(button => ({
    x: button.offsetLeft + button.offsetWidth / 2,
    y: button.offsetTop + button.offsetHeight / 2,
    w: button.offsetWidth / 2,
    h: button.offsetHeight / 2,
  }))
  const pieces = document.createDocumentFragment()
  for (const [from, to, color, dash, thickness] of edges) {
    const [a, b] = [rects[from], rects[to]]
    let [dx, dy] = [b.x - a.x, b.y - a.y]
    const length = Math.hypot(dx, dy)
    if (!length) continue
    const rows = Math.floor(to / width) - Math.floor(from / width)
    const columns = (to % width) - (from % width)
    const bends = divisor(Math.abs(rows), Math.abs(columns)) > 1
    const middle = { x: (a.x + b.x) / 2, y: (a.y + b.y) / 2 }
    if (bends) {
      const aside = 0.7 * (rows ? b.w * 2 : b.h * 3)
      middle.x -= (dy / length) * aside
      middle.y += (dx / length) * aside
      dx = b.x - middle.x
      dy = b.y - middle.y
    }
    const reach = Math.hypot(dx, dy)
    const stop = Math.min(b.w / Math.max(Math.abs(dx / reach), 1e-9), b.h / Math.max(Math.abs(dy / reach), 1e-9)) + 1
    const end = { x: b.x - (dx / reach) * stop, y: b.y - (dy / reach) * stop }
    const head = named ? 6 + thickness : 3
    const neck = { x: end.x - (dx / reach) * head, y: end.y - (dy / reach) * head }
    const line = document.createElementNS(SVG, "path")
    const through = bends ? `Q${middle.x} ${middle.y} ` : "L"
    line.setAttribute("d", `M${a.x} ${a.y}${through}${neck.x} ${neck.y}`)
    line.setAttribute("stroke", color)
    line.setAttribute("stroke-width", named ? thickness : 1)
    if (dash !== "solid") line.setAttribute("stroke-dasharray", dash.replaceAll("px", ""))
    const side = { x: (-dy / reach) * head * 0.5, y: (dx / reach) * head * 0.5 }
    const tip = document.createElementNS(SVG, "polygon")
    const corners = [end, { x: neck.x + side.x, y: neck.y + side.y }, { x: neck.x - side.x, y: neck.y - side.y }]
    tip.setAttribute("points", corners.map(corner => `${corner.x},${corner.y}`).join(" "))
    tip.setAttribute("fill", color)
    pieces.append(line, tip)
  }
  board.svg.append(pieces)
}

function divisor(a, b) {
  return b ? divisor(b, a % b) : a
}
