import type { LiveEvent } from '../../live/live-events.ts'
import { changeBy, fromRequest } from './call-row.ts'
import type { CallRow } from './call-row.ts'

/** What happened since the pages of a list were read. */
export interface LiveCalls {
  /** Shown above the pages, the newest first. */
  fresh: readonly CallRow[]
  /** New as well, and not shown while somebody reads further down. */
  held: readonly CallRow[]
  /** How many more there are than are kept: the list has to be read anew to see them. */
  missed: number
  /** Calls that only their status keeps out of the list. */
  outside: ReadonlyMap<string, CallRow>
  /** What has changed about calls in the pages. */
  changes: ReadonlyMap<string, Partial<CallRow>>
}

export const nothingNew: LiveCalls = {
  fresh: [],
  held: [],
  missed: 0,
  outside: new Map(),
  changes: new Map(),
}

/** More new calls than this are counted, not kept. */
const mostKept = 2000

interface ListFacts {
  /** The reader is at the top, so what is new can be shown there. */
  isAtTop: boolean
  /** Whether the pages hold this call. */
  isKnown: (callId: string) => boolean
  /** Whether the filters let it through. */
  fits: (row: CallRow) => boolean
  /** Whether all filters but the one for the status do. */
  couldFit: (row: CallRow) => boolean
}

/** The same with these events in it. Nothing changes its place that is on the screen. */
export function withEvents(
  before: LiveCalls,
  events: readonly LiveEvent[],
  list: ListFacts,
): LiveCalls {
  const draft = toDraft(before)
  for (const event of events) take(draft, event, list)
  return settled(draft, list)
}

/** The same with rows of a page that was read just now: those nobody told of are new. */
export function withRows(
  before: LiveCalls,
  rows: readonly CallRow[],
  list: ListFacts & { newest: string },
): LiveCalls {
  const draft = toDraft(before)
  for (const row of rows.toReversed()) {
    const place = draft.rows.get(row.callId)
    if (place !== undefined) draft.rows.set(row.callId, { ...place, ...row })
    else if (list.isKnown(row.callId)) draft.changes.set(row.callId, row)
    else if (row.callId > list.newest) add(draft, row)
  }
  return settled(draft, list)
}

/** What is held is shown. */
export function shown(before: LiveCalls): LiveCalls {
  return { ...before, fresh: [...before.held, ...before.fresh], held: [] }
}

/** The list was read anew: what is newer than that stays, and what is known better is kept. */
export function rebased(before: LiveCalls, page: readonly CallRow[]): LiveCalls {
  const newest = page[0]?.callId ?? ''
  const inPage = new Set(page.map(({ callId }) => callId))
  const rows = [...before.held, ...before.fresh]
  const known = rows.filter(({ callId }) => inPage.has(callId))
  return {
    fresh: rows.filter(({ callId }) => callId > newest && !inPage.has(callId)),
    held: [],
    missed: 0,
    outside: before.outside,
    changes: new Map(
      known.filter(({ settledAt }) => settledAt !== undefined).map((row) => [row.callId, row]),
    ),
  }
}

/** Rows as the screen shows them: what is new, then the pages with what has changed since. */
export function mergedRows(live: LiveCalls, pages: readonly CallRow[]): CallRow[] {
  const above = new Set(live.fresh.map(({ callId }) => callId))
  for (const { callId } of live.held) above.add(callId)
  const below = pages
    .filter(({ callId }) => !above.has(callId))
    .map((row) => {
      const change = live.changes.get(row.callId)
      return change === undefined ? row : { ...row, ...change }
    })
  return [...live.fresh, ...below]
}

interface Draft {
  /** The newest last: the order of the map is that of their coming. */
  rows: Map<string, CallRow>
  shownIds: Set<string>
  missed: number
  outside: Map<string, CallRow>
  changes: Map<string, Partial<CallRow>>
}

function toDraft({ fresh, held, missed, outside, changes }: LiveCalls): Draft {
  const rows = [...held, ...fresh].toReversed()
  return {
    rows: new Map(rows.map((row) => [row.callId, row])),
    shownIds: new Set(fresh.map(({ callId }) => callId)),
    missed,
    outside: new Map(outside),
    changes: new Map(changes),
  }
}

function take(draft: Draft, event: LiveEvent, list: ListFacts): void {
  const { callId } = event
  if (callId === undefined) return
  const requested = fromRequest(event)
  if (requested !== undefined && !draft.rows.has(callId) && !list.isKnown(callId)) {
    if (list.fits(requested)) add(draft, requested)
    else if (list.couldFit(requested)) keepOutside(draft, requested)
    return
  }
  const change = changeBy(event)
  if (change === undefined) return
  const row = draft.rows.get(callId)
  if (row !== undefined) draft.rows.set(callId, { ...row, ...change })
  else if (list.isKnown(callId)) {
    draft.changes.set(callId, { ...draft.changes.get(callId), ...change })
  } else enter(draft, { callId, change, list })
}

/** A call that was kept out by its status may fit now. */
function enter(
  draft: Draft,
  { callId, change, list }: { callId: string; change: Partial<CallRow>; list: ListFacts },
): void {
  const waiting = draft.outside.get(callId)
  if (waiting === undefined) return
  const row = { ...waiting, ...change }
  draft.outside.delete(callId)
  if (list.fits(row)) add(draft, row)
  else if (row.settledAt === undefined) draft.outside.set(callId, row)
}

function add(draft: Draft, row: CallRow): void {
  if (draft.rows.size >= mostKept) draft.missed += 1
  else draft.rows.set(row.callId, row)
}

/** A call that never settles must not stay for ever: the oldest go first. */
function keepOutside({ outside }: Draft, row: CallRow): void {
  outside.set(row.callId, row)
  const [oldest] = outside.keys()
  if (outside.size > mostKept && oldest !== undefined) outside.delete(oldest)
}

function settled(draft: Draft, { isAtTop }: ListFacts): LiveCalls {
  const rows = [...draft.rows.values()].toReversed()
  const { missed, outside, changes } = draft
  if (isAtTop) return { fresh: rows, held: [], missed, outside, changes }
  return {
    fresh: rows.filter(({ callId }) => draft.shownIds.has(callId)),
    held: rows.filter(({ callId }) => !draft.shownIds.has(callId)),
    missed,
    outside,
    changes,
  }
}
