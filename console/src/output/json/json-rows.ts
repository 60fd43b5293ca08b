import type { JsonValue } from '../../api/json.ts'

/** One line of the tree. */
export interface JsonRow {
  /** A JSON pointer; of `more` and `close` with a word behind it. */
  id: string
  kind: 'value' | 'open' | 'more'
  level: number
  /** The key or the number within its parent; undefined at the root. */
  name: string | undefined
  isIndex: boolean
  value: JsonValue
  /** Of what can be opened. */
  isOpen: boolean
  size: number
  place: number
  siblings: number
}

export interface TreeState {
  /** Nodes that were opened or closed, by pointer. */
  toggled: ReadonlyMap<string, boolean>
  /** How many children of a long list are shown, by pointer. */
  limits: ReadonlyMap<string, number>
}

/** How many children are shown at first; more by hundreds of lines would not be read anyway. */
export const firstChildren = 500

const screenLines = 80

/** How deep it is open at first: as long as it stays a screen or two. */
export function openedLevels(value: JsonValue): number {
  let current: JsonValue[] = [value]
  let lines = 1
  for (let level = 0; level < 6; level += 1) {
    const next: JsonValue[] = []
    for (const item of current) {
      if (isContainer(item)) next.push(...Object.values(item).slice(0, screenLines))
      if (lines + next.length > screenLines) return Math.max(1, level)
    }
    if (next.length === 0) return level
    lines += next.length
    current = next
  }
  return 6
}

/** The lines of everything that is open, in their order. Without recursion: a value may be very deep. */
export function toRows(root: JsonValue, { toggled, limits }: TreeState, levels: number): JsonRow[] {
  const rows: JsonRow[] = []
  const left: JsonRow[] = [toRow(root, { id: '', level: 0, name: undefined, isIndex: false })]
  for (let row = left.pop(); row !== undefined; row = left.pop()) {
    if (row.kind === 'more' || !isContainer(row.value)) {
      rows.push(row)
      continue
    }
    const isOpen = row.size > 0 && (toggled.get(row.id) ?? row.level < levels)
    rows.push({ ...row, kind: 'open', isOpen })
    if (isOpen) pushChildren(left, row, limits.get(row.id) ?? firstChildren)
  }
  return rows
}

function pushChildren(left: JsonRow[], parent: JsonRow, limit: number): void {
  const { value, id, level } = parent
  if (!isContainer(value)) return
  const isIndex = Array.isArray(value)
  const keys = Object.keys(value)
  const shown = keys.slice(0, limit)
  if (shown.length < keys.length) {
    const rest = keys.length - shown.length
    left.push({
      ...toRow(rest, { id: `${id}/more…`, level: level + 1, name: undefined, isIndex }),
      kind: 'more',
    })
  }
  for (const [index, key] of shown.entries().toArray().toReversed()) {
    const child = isIndex ? value[index] : Object.getOwnPropertyDescriptor(value, key)?.value
    left.push({
      ...toRow((child ?? null) as JsonValue, {
        id: `${id}/${key.replaceAll('~', '~0').replaceAll('/', '~1')}`,
        level: level + 1,
        name: key,
        isIndex,
      }),
      place: index + 1,
      siblings: keys.length,
    })
  }
}

type Place = Pick<JsonRow, 'id' | 'level' | 'name' | 'isIndex'>

function toRow(value: JsonValue, place: Place): JsonRow {
  const size = isContainer(value) ? Object.keys(value).length : 0
  return { ...place, kind: 'value', value, isOpen: false, size, place: 1, siblings: 1 }
}

function isContainer(value: JsonValue): value is JsonValue[] | { [key: string]: JsonValue } {
  return typeof value === 'object' && value !== null
}

/** The pointer of the parent. */
export function parentOf(id: string): string {
  return id.slice(0, Math.max(0, id.lastIndexOf('/')))
}
