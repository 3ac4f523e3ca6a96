// Page Up and Page Down lead to the pages around this one.
// A figure ends where the screen ends, however much room the lines above it take; one below the screen fills all of it.
// One whose rows have names is high enough for them, and any at least as high as on its page.
const LEAST = 180 // pixels of a figure that begins on the screen
const GAP = 16 // pixels between two knobs
const ROW = 18, AROUND = 90 // pixels of a row with a name, and of what is above and below all rows

const leastOf = (figure) => {
  const layout = figure.querySelector(".js-plotly-plot")?.layout ?? {}
  const rows = Object.keys(layout).map((key) => (key.startsWith("yaxis") && layout[key].ticktext?.length) || 0)
  return Math.max(ROW * Math.max(0, ...rows) + AROUND, layout.meta?.height ?? 0)
}

export default function () {
  const main = document.querySelector("[data-testid='stMain']")
  // What a view adds to the knobs of its page begins where their row ends.
  const join = () => {
    const row = main.querySelector(".st-key-stage-row"), last = row?.lastElementChild
    if (!last) return
    const block = row.closest("[data-testid='stMainBlockContainer']"), from = block.getBoundingClientRect()
    block.style.setProperty("--row-end", `${Math.round(last.getBoundingClientRect().right - from.left) + GAP}px`)
    block.style.setProperty("--row-bottom", `${Math.round(last.getBoundingClientRect().bottom - from.top)}px`)
  }
  const fit = () => {
    join()
    for (const figure of main.querySelectorAll("[data-testid='stPlotlyChart']")) {
      const top = Math.round(figure.getBoundingClientRect().top + main.scrollTop)
      figure.style.setProperty("--least", `${leastOf(figure)}px`)
      figure.style.setProperty("--above", `${top < innerHeight - LEAST ? top : 0}px`)
    }
  }
  const resized = new ResizeObserver(fit)
  resized.observe(main)
  const changed = new MutationObserver(fit)
  changed.observe(main, { childList: true, subtree: true })
  const turned = (event) => {
    const link = /^Page(Up|Down)$/.test(event.key) && document.querySelector(`.st-key-stage-${event.key} a[href]`)
    if (!link || event.target.closest("input, textarea, [role=slider]")) return
    event.preventDefault()
    link.click()
  }
  // What was chosen in a list is left, so that the next key is one of the page.
  const chosen = (event) => {
    if (event.target.closest("[role=option]")) setTimeout(() => document.activeElement?.blur(), 100)
  }
  document.addEventListener("keydown", turned)
  document.addEventListener("click", chosen, true)
  fit()
  return () => {
    document.removeEventListener("keydown", turned)
    document.removeEventListener("click", chosen, true)
    resized.disconnect()
    changed.disconnect()
  }
}
