import type { Api } from '../../api/client.ts'

type Entry = Api<'AuditEntry'>

/** What came since the pages of the log were read. */
export interface LiveAudit {
  /** Shown above the pages, the newest first. */
  fresh: readonly Entry[]
  /** New as well, and not shown while somebody reads further down. */
  held: readonly Entry[]
  /** There is a gap below what is held: the log has to be read anew. */
  isTorn: boolean
}

export const nothingNew: LiveAudit = { fresh: [], held: [], isTorn: false }

const mostKept = 2000

/** The same with a first page that was read just now; `top` is the newest entry that is in the pages. */
export function withHead(
  before: LiveAudit,
  head: readonly Entry[],
  { top, isAtTop }: { top: string | undefined; isAtTop: boolean },
): LiveAudit {
  const rows = [...before.held, ...before.fresh]
  const newest = rows[0]?.id ?? top
  const place = head.findIndex(({ id }) => id === newest)
  if (place === 0 || head.length === 0) return before
  const known = new Set(rows.map(({ id }) => id))
  const added = (place < 0 ? head : head.slice(0, place)).filter(({ id }) => !known.has(id))
  const hasGap = place < 0 && newest !== undefined
  const isTorn = before.isTorn || hasGap || rows.length + added.length > mostKept
  const held = [...added, ...before.held].slice(0, mostKept)
  if (isAtTop && !isTorn) return { fresh: [...held, ...before.fresh], held: [], isTorn }
  return { ...before, held, isTorn }
}

/** What is held is shown. */
export function shown(before: LiveAudit): LiveAudit {
  return { fresh: [...before.held, ...before.fresh], held: [], isTorn: false }
}
