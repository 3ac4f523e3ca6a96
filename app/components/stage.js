// Page Up and Page Down lead to the pages around this one.
// A figure ends where the screen ends, however much room the lines above it take; one below the screen fills all of it.
// One whose rows have names is high enough for them.
const LEAST = 180 // pixels of a figure that begins on the screen
const ROW = 18, AROUND = 90 // pixels of a row with a name, and of what is above and below all rows

const rowsOf = (figure) => {
  const layout = figure.querySelector(".js-plotly-plot")?.layout ?? {}
  return Math.max(0, ...Object.keys(layout).map((key) => (key.startsWith("yaxis") && layout[key].ticktext?.length) || 0))
}

export default function () {
  const main = document.querySelector("[data-testid='stMain']")
  const fit = () => {
    for (const figure of main.querySelectorAll("[data-testid='stPlotlyChart']")) {
      const top = Math.round(figure.getBoundingClientRect().top + main.scrollTop)
      figure.style.setProperty("--least", `${ROW * rowsOf(figure) + AROUND}px`)
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
  document.addEventListener("keydown", turned)
  fit()
  return () => {
    document.removeEventListener("keydown", turned)
    resized.disconnect()
    changed.disconnect()
  }
}
