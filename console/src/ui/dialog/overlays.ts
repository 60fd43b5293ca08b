/** A question that is asked before something that can't be taken back. */
export interface Question {
  title: string
  /** What follows from a yes. */
  message: string
  /** The verb of the button, such as "Delete". */
  confirmLabel: string
  /** The other one, where it says more than "Cancel". */
  cancelLabel?: string
  isDangerous?: boolean
}

/** What can be laid over a screen. */
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
 * Notices, questions, the palette: no first paint needs them. They are loaded when somebody first
 * moves in the tab, or when something has to be said before that.
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
  /** They could not be loaded: whoever wants them next tries again. */
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
