import { useMemo, useState } from 'react'
import type { JsonValue } from '../../api/json.ts'
import { firstChildren, openedLevels, parentOf, toRows } from './json-rows.ts'
import type { JsonRow } from './json-rows.ts'

/** The visible lines of a JSON tree, the active one, and how nodes open and close. */
export function useJsonTree(value: JsonValue, openLevels: number | undefined) {
  const [toggled, setToggled] = useState<ReadonlyMap<string, boolean>>(new Map())
  const [limits, setLimits] = useState<ReadonlyMap<string, number>>(new Map())
  const [levels] = useState(() => openLevels ?? openedLevels(value))
  const [activeId, setActiveId] = useState('')
  const rows = useMemo(
    () => toRows(value, { toggled, limits }, levels),
    [value, toggled, limits, levels],
  )
  const found = rows.findIndex(({ id }) => id === activeId)
  return {
    rows,
    active: Math.max(0, found),
    setActiveId,
    toggle(row: JsonRow, isOpen = !row.isOpen): void {
      setActiveId(row.id)
      if (row.kind === 'more') {
        const parent = parentOf(row.id)
        setLimits(new Map(limits).set(parent, (limits.get(parent) ?? firstChildren) * 4))
      } else if (row.size > 0) setToggled(new Map(toggled).set(row.id, isOpen))
    },
  }
}
