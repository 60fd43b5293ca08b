/** A confirmation before something irreversible. */
export interface Question {
  title: string
  /** The consequence of confirming. */
  message: string
  /** The verb of the button, such as "Delete". */
  confirmLabel: string
  /** The other button, "Cancel" by default. */
  cancelLabel?: string
  isDangerous?: boolean
}

/** Overlays of a screen. */
export interface Overlays {
  openPalette(): void
  showKeys(): void
  ask(question: Question): Promise<boolean>
}

const listeners = new Set<() => void>()
let waiting: ((there: Overlays) => void)[] = []
let isWanted = false
let there: Overlays | undefined

/**
 * Notices, questions, the palette: no first paint needs them. They are loaded on the first interaction in
 * the tab, or when a message has to be shown before that.
 */
export const overlays = {
  isWanted: () => isWanted,
  subscribe(listener: () => void) {
    listeners.add(listener)
    return () => listeners.delete(listener)
  },
  want() {
    setWanted(true)
  },
  /** They could not be loaded: the next use tries again. */
  fail() {
    setWanted(false)
  },
  /** Them, once they are on the screen. */
  ready(): Promise<Overlays> {
    setWanted(true)
    if (there !== undefined) return Promise.resolve(there)
    return new Promise((resolve) => waiting.push(resolve))
  },
  arrive(handles: Overlays) {
    there = handles
    for (const resolve of waiting) resolve(handles)
    waiting = []
  },
  leave() {
    there = undefined
  },
}

function setWanted(next: boolean): void {
  if (isWanted === next) return
  isWanted = next
  for (const listener of listeners) listener()
}
