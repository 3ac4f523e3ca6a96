// Texts of a figure that run into each other: of two names or boxes one is hidden, of ticks every second or more.
const MOST = 400 // texts of a figure that are compared
const SLACK = 2 // pixels above and below the letters of a text
const PAUSE = 150 // milliseconds without a change after which a figure counts as drawn

const boxOf = (text) => {
  const box = text.getBoundingClientRect()
  const [across, down] = box.height > box.width ? [SLACK, 0] : [0, SLACK]
  return { left: box.left + across, right: box.right - across, top: box.top + down, bottom: box.bottom - down }
}
const meet = (one, other) =>
  one.left < other.right && other.left < one.right && one.top < other.bottom && other.top < one.bottom
const show = (text, isShown) => { text.style.visibility = isShown ? "" : "hidden" }
const isBox = (annotation) => getComputedStyle(annotation.querySelector("rect.bg")).fillOpacity > 0
const isUpright = (text) => /rotate\((0|-?90)[,)]|^((?!rotate).)*$/.test(text.getAttribute("transform") ?? "")

const parted = (texts) => {
  if (texts.length > MOST) return
  const kept = []
  for (const [text, box] of texts.map((text) => [text, boxOf(text)])) {
    const isFree = !kept.some((other) => meet(box, other))
    if (isFree) kept.push(box)
    show(text, isFree)
  }
}
const thinned = (ticks) => {
  if (ticks.length > MOST || !ticks.every(isUpright)) return
  const boxes = ticks.map(boxOf)
  let every = 1
  while (every < ticks.length && boxes.some((box, n) => n % every === 0 && n >= every && meet(box, boxes[n - every]))) every++
  ticks.forEach((text, n) => show(text, n % every === 0))
}

export default function () {
  const main = document.querySelector("[data-testid='stMain']")
  const tidy = () => {
    for (const figure of main.querySelectorAll(".js-plotly-plot")) {
      // The texts that were drawn last come first: they are of what is selected.
      const traces = [...figure.querySelectorAll(".scatterlayer .trace")].reverse()
      parted(traces.flatMap((trace) => [...trace.querySelectorAll(".textpoint text")]).filter((text) => text.textContent))
      parted([...figure.querySelectorAll(".annotation")].filter(isBox))
      for (const kind of ["xtick", "ytick"]) {
        const axes = new Map()
        for (const text of figure.querySelectorAll(`.${kind} text`)) {
          const layer = text.closest(`.${kind}`).parentNode
          axes.set(layer, [...(axes.get(layer) ?? []), text])
        }
        axes.forEach(thinned)
      }
    }
  }
  let waiting
  const later = () => {
    clearTimeout(waiting)
    waiting = setTimeout(tidy, PAUSE)
  }
  const isDrawn = ({ target }) => !target.closest?.(".hoverlayer")
  const changed = new MutationObserver((changes) => changes.some(isDrawn) && later())
  changed.observe(main, { childList: true, subtree: true })
  const resized = new ResizeObserver(later)
  resized.observe(main)
  later()
  return () => {
    clearTimeout(waiting)
    changed.disconnect()
    resized.disconnect()
  }
}
