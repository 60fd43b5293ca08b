import type { KeyboardEvent } from 'react'
import type { TreeRow } from './tree-rows.ts'

interface TreeKeys {
  rows: readonly TreeRow[]
  active: string | undefined
  onActive: (id: string) => void
  onToggle: (row: TreeRow) => void
  onChoose: (row: TreeRow) => void
}

/** The keys of a tree as people know them: arrows, Home, End, Enter. */
export function useTreeKeys({ rows, active, onActive, onToggle, onChoose }: TreeKeys) {
  const entries = rows.filter(({ entry }) => entry !== undefined)
  const index = entries.findIndex(({ id }) => id === active)
  const current = entries[index]
  const go = (to: number) => {
    const next = entries[Math.max(0, Math.min(entries.length - 1, to))]
    if (next !== undefined) onActive(next.id)
  }
  const goOut = () => {
    const parent = entries.findIndex(({ id }) => id === current?.folder)
    if (parent >= 0) go(parent)
  }
  const actions: Record<string, () => void> = {
    ArrowDown: () => go(index + 1),
    ArrowUp: () => go(index < 0 ? entries.length - 1 : index - 1),
    Home: () => go(0),
    End: () => go(entries.length - 1),
    ArrowRight() {
      if (current?.isOpen === false) onToggle(current)
      else if (current?.isOpen === true) go(index + 1)
    },
    ArrowLeft() {
      if (current?.isOpen === true) onToggle(current)
      else goOut()
    },
    Enter() {
      if (current !== undefined) onChoose(current)
    },
    ' '() {
      if (current !== undefined) onChoose(current)
    },
  }
  return (event: KeyboardEvent) => {
    const action = Object.hasOwn(actions, event.key) ? actions[event.key] : undefined
    if (action === undefined || event.altKey || event.ctrlKey || event.metaKey) return
    event.preventDefault()
    action()
  }
}
