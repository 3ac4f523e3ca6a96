// In a narrow window the menu lies over the page, so it closes when a page is chosen.
const NARROW = 768 // pixels, below which Streamlit lays the menu over the page

export default function () {
  const chosen = (event) => {
    if (innerWidth >= NARROW || !event.target.closest("[data-testid='stSidebarNavLink']")) return
    setTimeout(() => document.querySelector("[data-testid='stSidebarCollapseButton'] button")?.click())
  }
  document.addEventListener("click", chosen)
  return () => document.removeEventListener("click", chosen)
}
