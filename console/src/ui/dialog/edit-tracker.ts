/** Whether somebody has entered something, by the fields they have been in. */
export interface EditTracker {
  /** Somebody is about to type here. */
  begin(field: Element): void
  /** A field is not as it was when somebody first came to it. */
  isThere(): boolean
}

/**
 * Reads the fields themselves, so that no dialog has to report its content. Text that was typed and removed
 * again does not count.
 */
export function createEditTracker(): EditTracker {
  const before = new Map<Element, string>()
  return {
    begin(field) {
      if (isField(field) && !before.has(field)) before.set(field, textOf(field))
    },
    isThere: () => [...before].some(([field, text]) => textOf(field) !== text),
  }
}

function isField(element: Element): boolean {
  return (
    element instanceof HTMLInputElement ||
    element instanceof HTMLTextAreaElement ||
    element instanceof HTMLSelectElement ||
    (element instanceof HTMLElement && element.isContentEditable)
  )
}

function textOf(field: Element): string {
  if (field instanceof HTMLInputElement) {
    // Tags that were entered one by one are beside the field.
    const beside = field.parentElement?.textContent ?? ''
    return field.type === 'checkbox' || field.type === 'radio'
      ? String(field.checked)
      : `${field.value}\n${beside}`
  }
  return field instanceof HTMLTextAreaElement || field instanceof HTMLSelectElement
    ? field.value
    : (field.textContent ?? '')
}
