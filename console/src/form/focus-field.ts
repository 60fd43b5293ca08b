/** Moves the focus to the first of these that is there, once what was changed is drawn. */
export function focusSoon(...ids: readonly string[]): void {
  requestAnimationFrame(() => requestAnimationFrame(() => focusFirst(ids)))
}

const focusable =
  'input:not([type=hidden]):not(:disabled), textarea:not(:disabled), select, button:not(:disabled), [contenteditable=true], [tabindex="0"]'

function focusFirst(ids: readonly string[]): void {
  for (const id of ids) {
    const element = document.getElementById(id)
    const target =
      element?.matches(focusable) === true ? element : element?.querySelector(focusable)
    const reached = target ?? element
    if (!(reached instanceof HTMLElement) || reached.matches(':disabled')) continue
    reached.focus({ preventScroll: true })
    reached.scrollIntoView({ block: 'center', behavior: 'instant' })
    return
  }
}
