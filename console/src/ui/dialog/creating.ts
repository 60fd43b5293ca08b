import { useEffect, useMemo, useSyncExternalStore } from 'react'

/** Things that are created in a dialog. */
export type Creatable =
  | 'tool'
  | 'agent'
  | 'mcp-server'
  | 'api'
  | 'secret'
  | 'schedule'
  | 'key'
  | 'member'

let current: Creatable | undefined
const listeners = new Set<() => void>()

/** Which dialog for something new is open. Not a screen's own state: the palette opens them too. */
export const creating = {
  open(what: Creatable) {
    current = what
    announce()
  },
  close(what: Creatable) {
    if (current !== what) return
    current = undefined
    announce()
  },
}

interface CreatingActions {
  open(): void
  close(): void
  set(isOpen: boolean): void
}

/** Whether the dialog for a new one is open on this screen; it closes with the screen. */
export function useCreating(what: Creatable): [isOpen: boolean, actions: CreatingActions] {
  const isOpen = useSyncExternalStore(subscribe, () => current === what)
  useEffect(() => () => creating.close(what), [what])
  const actions = useMemo(
    () => ({
      open: () => creating.open(what),
      close: () => creating.close(what),
      set: (wanted: boolean) => (wanted ? creating.open(what) : creating.close(what)),
    }),
    [what],
  )
  return [isOpen, actions]
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => void listeners.delete(listener)
}

function announce(): void {
  for (const listener of listeners) listener()
}
