import { useEffect, useMemo, useReducer, useState } from 'react'
import { api, read } from '../../api/client.ts'
import { liveEvents } from '../../live/live-events.ts'
import type { LiveEvent } from '../../live/live-events.ts'
import { toCallQuery } from './call-filter.ts'
import type { CallFilter } from './call-filter.ts'
import { changeBy, changed, toCallRow } from './call-row.ts'
import type { CallChange, CallRow } from './call-row.ts'
import type { ListPage } from './live-list.ts'
import { useLiveList } from './use-live-list.ts'

const pageSize = 100
const flushMs = 100

/** A list of calls that follows the event log. Remount it (by key) for other filters. */
export function useCallList(filter: CallFilter) {
  const [openedAt] = useState(() => Date.now())
  const changes = useChanges()
  const list = useLiveList({
    queryKey: ['call-pages', filter],
    readPage: (after) => readPage(filter, { openedAt, after }),
    idOf: ({ callId }: CallRow) => callId,
    isAbout: ({ type }) => type.startsWith('call.') && type !== 'call.output',
  })
  const { rows } = list
  const shown = useMemo(
    () => (changes.size === 0 ? rows : rows.map((row) => changed(row, changes.get(row.callId)))),
    [rows, changes],
  )
  return { ...list, rows: shown }
}

async function readPage(
  filter: CallFilter,
  { openedAt, after }: { openedAt: number; after: string },
): Promise<ListPage<CallRow>> {
  const query = {
    ...toCallQuery(filter, openedAt),
    brief: 'true' as const,
    limit: pageSize,
    ...(after !== '' && { after }),
  }
  const { items, next } = await read(api.GET('/api/v1/calls', { params: { query } }))
  return { items: items.map(toCallRow), ...(next !== undefined && { next }) }
}

type Changes = ReadonlyMap<string, CallChange>

/** More than any screen shows; older entries are dropped, because the list has been refetched by then. */
const mostChanges = 5000

/** Recent call events: a status changes on screen before the page is read again. */
function useChanges(): Changes {
  const [changes, add] = useReducer(
    (before: Changes, events: readonly LiveEvent[]) => withEvents(before, events),
    new Map(),
  )
  useEffect(() => {
    let waiting: LiveEvent[] = []
    let timer: ReturnType<typeof setTimeout> | undefined
    const flush = () => {
      timer = undefined
      add(waiting)
      waiting = []
    }
    const unsubscribe = liveEvents.subscribe((event) => {
      if (changeBy(event) === undefined) return
      waiting.push(event)
      timer ??= setTimeout(flush, flushMs)
    })
    return () => {
      unsubscribe()
      clearTimeout(timer)
    }
  }, [])
  return changes
}

function withEvents(before: Changes, events: readonly LiveEvent[]): Changes {
  const after = new Map(before)
  for (const event of events) {
    const change = changeBy(event)
    if (change !== undefined && event.callId !== undefined) {
      after.set(event.callId, { ...after.get(event.callId), ...change })
    }
  }
  for (const callId of after.keys()) {
    if (after.size <= mostChanges) break
    after.delete(callId)
  }
  return after
}
