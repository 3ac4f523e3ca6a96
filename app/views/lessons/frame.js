// Another screen of a lesson begins at its top.
let shown = null

export default function ({ data }) {
  if (shown !== null && shown !== data.screen) {
    document.querySelector("[data-testid='stMain']")?.scrollTo({ top: 0 })
  }
  shown = data.screen
}
