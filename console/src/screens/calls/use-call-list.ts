import { useInfiniteQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useEffectEvent, useMemo, useReducer, useRef, useState } from 'react'
import { api, read } from '../../api/client.ts'
import { liveEvents } from '../../live/live-events.ts'
import type { LiveEvent } from '../../live/live-events.ts'
import { sayFailed } from '../../ui/say.ts'
import { useLiveState, usePollMs } from '../../live/use-live.ts'
import { fits, fitsBut, toCallQuery } from './call-filter.ts'
import type { CallFilter } from './call-filter.ts'
import { toCallRow } from './call-row.ts'
import type { CallRow } from './call-row.ts'
import { mergedRows, nothingNew, rebased, shown, withEvents, withRows } from './live-calls.ts'
import type { LiveCalls } from './live-calls.ts'

const pageSize = 100
/** At once for the first of a burst, then so often: within 300 ms on the screen, and never busy. */
const firstMs = 40
const pauseMs = 250

type Step = (before: LiveCalls) => LiveCalls

/** Not one of the kinds that events make stale: what happens is put into the list as it is told. */
const listKind = 'call-pages'

/**
 * A list of calls that follows the log without asking again: pages by cursor, and what happens
 * since put above and into them. Whoever uses it draws it anew (by key) for other filters.
 */
export function useCallList(filter: CallFilter) {
  const queryClient = useQueryClient()
  const queryKey = [listKind, filter]
  const [openedAt] = useState(() => Date.now())
  const pages = useInfiniteQuery({
    queryKey,
    queryFn: ({ pageParam }) => readPage(filter, { openedAt, after: pageParam }),
    initialPageParam: '',
    getNextPageParam: (last) => last.next,
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
    refetchOnReconnect: false,
    refetchOnWindowFocus: false,
  })
  const read = useMemo(() => pages.data?.pages.flatMap(({ items }) => items) ?? [], [pages.data])
  const known = useMemo(() => new Set(read.map(({ callId }) => callId)), [read])
  const [live, apply] = useReducer((before: LiveCalls, step: Step) => step(before), nothingNew)
  const isAtTop = useRef(true)
  const list = () => ({
    isAtTop: isAtTop.current,
    isKnown: (callId: string) => known.has(callId),
    fits: (row: CallRow) => fits(filter, row, openedAt),
    couldFit: (row: CallRow) => fitsBut(filter, row, openedAt),
  })
  useInBatches((events) => apply((before) => withEvents(before, events, list())))
  const newest = live.held[0]?.callId ?? live.fresh[0]?.callId ?? read[0]?.callId ?? ''
  useHead(pages.data !== undefined, async () => {
    const { items } = await readPage(filter, { openedAt, after: '' })
    apply((before) => withRows(before, items, { ...list(), newest }))
  })
  const rows = useMemo(() => mergedRows(live, read), [live, read])
  const isReading = useRef(false)
  const startAnew = async () => {
    if (isReading.current) return
    isReading.current = true
    try {
      const page = await readPage(filter, { openedAt, after: '' })
      queryClient.setQueryData(queryKey, { pages: [page], pageParams: [''] })
      apply((before) => rebased(before, page.items))
    } finally {
      isReading.current = false
    }
  }
  const startAnewLater = useEffectEvent(() => void startAnew().catch(() => undefined))
  const hasTooMany = live.missed > 0
  useEffect(() => {
    if (hasTooMany && isAtTop.current) startAnewLater()
  }, [hasTooMany])
  const showHeld = () => {
    if (hasTooMany) void startAnew().catch(sayFailed)
    else apply(shown)
  }
  return {
    pages,
    rows,
    newCount: live.held.length + live.missed,
    showNew: showHeld,
    atTop(now: boolean) {
      const hasCome = now && !isAtTop.current
      isAtTop.current = now
      if (hasCome && live.held.length + live.missed > 0) showHeld()
    },
  }
}

async function readPage(
  filter: CallFilter,
  { openedAt, after }: { openedAt: number; after: string },
): Promise<{ items: CallRow[]; next?: string }> {
  const query = {
    ...toCallQuery(filter, openedAt),
    brief: 'true' as const,
    limit: pageSize,
    ...(after !== '' && { after }),
  }
  const { items, next } = await read(api.GET('/api/v1/calls', { params: { query } }))
  return { items: items.map(toCallRow), ...(next !== undefined && { next }) }
}

/** Events of calls as they come, some at a time. */
function useInBatches(onEvents: (events: readonly LiveEvent[]) => void): void {
  const hand = useEffectEvent(onEvents)
  useEffect(() => {
    let waiting: LiveEvent[] = []
    let timer: ReturnType<typeof setTimeout> | undefined
    let lastAt = 0
    const flush = () => {
      timer = undefined
      lastAt = Date.now()
      const events = waiting
      waiting = []
      hand(events)
    }
    const unsubscribe = liveEvents.subscribe((event) => {
      if (!event.type.startsWith('call.') || event.type === 'call.output') return
      waiting.push(event)
      timer ??= setTimeout(flush, Math.max(firstMs, pauseMs - (Date.now() - lastAt)))
    })
    return () => {
      unsubscribe()
      clearTimeout(timer)
    }
  }, [])
}

/** Whenever the stream begins, what came before it is looked up; where there is none, now and then. */
function useHead(hasPages: boolean, check: () => Promise<void>): void {
  const state = useLiveState()
  const pollMs = usePollMs()
  // A stream that ran before the pages were read has told of everything since.
  const [wasLive] = useState(state === 'live')
  const isCovered = useRef(wasLive)
  const look = useEffectEvent(() => void check().catch(() => undefined))
  useEffect(() => {
    if (!hasPages) return undefined
    if (state === 'live' && !isCovered.current) look()
    isCovered.current = false
    if (pollMs === false) return undefined
    const timer = setInterval(() => look(), pollMs)
    return () => clearInterval(timer)
  }, [state, pollMs, hasPages])
}
