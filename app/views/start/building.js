const shows = new WeakMap()
const SVG = "http://www.w3.org/2000/svg"
const [ACROSS, DOWN, WIDE, HIGH] = [132, 54, 106, 32] // between cells, and of a label
const PACE = 1100 // milliseconds of a step

export default function (component) {
  const { parentElement, data, setTriggerValue } = component
  let show = shows.get(parentElement)
  if (!show) {
    show = create(parentElement)
    shows.set(parentElement, show)
  }
  show.ask = () => setTriggerValue("asked", true)
  update(show, data)
  return () => {
    pause(show)
    shows.delete(parentElement)
  }
}

function create(root) {
  const show = { root, timer: null, text: "", at: 0 }
  for (const name of ["svg", ".scores", ".play", "input", ".status"]) show[name.replace(".", "")] = root.querySelector(name)
  show.play.onclick = () => {
    if (show.timer) pause(show)
    else if (show.data.scores) play(show)
    else {
      show.play.disabled = true
      show.play.textContent = "Computing the scores…"
      show.ask()
    }
  }
  show.input.oninput = () => {
    pause(show)
    go(show, Number(show.input.value))
  }
  return show
}

function update(show, data) {
  const text = JSON.stringify(data)
  if (show.text === text) return
  const isScored = show.data && !show.data.scores && data.scores
  show.text = text
  show.data = data
  pause(show)
  draw(show)
  show.input.max = data.steps.length - 1
  go(show, data.steps.length - 1)
  if (isScored) play(show)
}

function make(name, attributes, ...children) {
  const element = document.createElementNS(SVG, name)
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value)
  element.append(...children)
  return element
}

function place(show, cell) {
  const { width } = show.data
  return [(cell % width) * ACROSS + ACROSS / 2, Math.floor(cell / width) * DOWN + DOWN / 2]
}

function draw(show) {
  const { svg, data } = show
  const { names, width, trellises, alt } = data
  const rows = Math.ceil(names.length / width)
  svg.setAttribute("viewBox", `0 0 ${width * ACROSS} ${(rows + 0.5) * DOWN}`)
  svg.setAttribute("aria-label", alt)
  const cells = names.map((_, cell) => {
    const [x, y] = place(show, cell)
    return make("rect", { class: "cell", x: x - WIDE / 2, y: y - HIGH / 2, width: WIDE, height: HIGH, rx: 5 })
  })
  show.edges = trellises.map(trellis => trellis.edges.map(edge => ({ child: edge[1], parts: arrow(show, edge) })))
  show.labels = names.map(name => {
    const box = make("rect", { x: -WIDE / 2, y: -HIGH / 2, width: WIDE, height: HIGH, rx: 5 })
    const title = make("title", {}, name)
    const text = make("text", {}, name.length > 13 ? `${name.slice(0, 12)}…` : name)
    return make("g", { class: "label" }, title, box, text)
  })
  svg.replaceChildren(...cells, ...show.edges.flat().flatMap(edge => edge.parts), ...show.labels)
  show.scores.replaceChildren()
  show.bars = (data.scores ?? []).map(score => {
    const row = document.createElement("div")
    row.className = "score"
    row.innerHTML = `<div></div><div class="track"><div class="bar"></div><div class="mark"></div></div><small></small>`
    const [head, track, small] = row.children
    const most = Math.max(...score.values) * 1.15 || 1
    track.children[1].style.left = `calc(${(100 * score.values[0]) / most}% - 1px)`
    small.textContent = score.what
    show.scores.append(row)
    return at => {
      head.innerHTML = `${score.name} <b>${score.texts[at]}</b> (independent ${score.texts[0]})`
      track.children[0].style.width = `${(100 * score.values[at]) / most}%`
    }
  })
}

function arrow(show, [from, to, color, dash, thickness]) {
  const [[ax, ay], [bx, by]] = [place(show, from), place(show, to)]
  const [dx, dy] = [bx - ax, by - ay]
  const length = Math.hypot(dx, dy)
  const bend = Math.abs(dx) > ACROSS * 1.5 && !dy ? [0, -DOWN * 0.6] : Math.abs(dy) > DOWN * 1.5 && !dx ? [-ACROSS * 0.5, 0] : null
  const [mx, my] = bend ? [(ax + bx) / 2 + bend[0], (ay + by) / 2 + bend[1]] : [ax, ay]
  const reach = Math.hypot(bx - mx, by - my) || length
  const [ux, uy] = [(bx - mx) / reach, (by - my) / reach]
  const stop = Math.min(WIDE / 2 / Math.max(Math.abs(ux), 1e-9), HIGH / 2 / Math.max(Math.abs(uy), 1e-9)) + 1
  const [ex, ey] = [bx - ux * stop, by - uy * stop]
  const head = 6 + thickness
  const [nx, ny] = [ex - ux * head, ey - uy * head]
  const side = head / 2
  const path = bend ? `M${ax} ${ay}Q${mx} ${my} ${nx} ${ny}` : `M${ax} ${ay}L${nx} ${ny}`
  const corners = [[ex, ey], [nx - uy * side, ny + ux * side], [nx + uy * side, ny - ux * side]]
  const dashed = { class: "edge dashed", "stroke-dasharray": dash.replaceAll("px", "") }
  const line = dash === "solid" ? { class: "edge solid", pathLength: 1 } : dashed // of which only a solid one can grow
  return [
    make("path", { d: path, stroke: color, "stroke-width": thickness, ...line }),
    make("polygon", { class: "tip", points: corners.map(corner => corner.join()).join(" "), fill: color }),
  ]
}

function go(show, at) {
  const { names, width, trellises, steps } = show.data
  const { trellis: which, filled, text } = steps[at]
  show.at = at
  show.input.value = at
  show.input.setAttribute("aria-valuetext", text)
  show.status.textContent = text
  const rows = Math.ceil(names.length / width)
  trellises[which].order.forEach((label, cell) => {
    const waits = cell >= filled
    const [x, y] = waits ? [((label + 0.5) / names.length) * width * ACROSS, (rows + 0.25) * DOWN] : place(show, cell)
    show.labels[label].style.transform = `translate(${x}px, ${y}px) scale(${waits ? `${0.8 * width / names.length}, 0.4` : 1})`
    show.labels[label].classList.toggle("waiting", waits)
  })
  show.edges.forEach((edges, trellis) => {
    for (const { child, parts } of edges)
      for (const part of parts) part.classList.toggle("shown", trellis === which && child < filled)
  })
  for (const bar of show.bars) bar(at)
  if (!show.timer) rest(show)
}

function play(show) {
  const last = show.data.steps.length - 1
  if (show.at >= last) go(show, 0)
  show.timer = setInterval(() => {
    go(show, show.at + 1)
    if (show.at >= last) pause(show)
  }, PACE)
  show.play.textContent = "Pause"
}

function pause(show) {
  clearInterval(show.timer)
  show.timer = null
  rest(show)
}

function rest(show) {
  show.play.disabled = false
  show.play.textContent = "▶ Play: how a trellis is built"
}
