import { useInfiniteQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useEffectEvent, useMemo, useRef, useState } from 'react'
import { liveEvents } from '../../live/live-events.ts'
import type { LiveEvent } from '../../live/live-events.ts'
import { useLiveState, usePollMs } from '../../live/use-live.ts'
import { countNew, withHead } from './live-list.ts'
import type { ListPage, ListPages } from './live-list.ts'

interface LiveListOptions<Row> {
  /** Not among the query keys that every event invalidates: the list refetches by itself. */
  queryKey: readonly unknown[]
  /** The page after a cursor; the first page for `''`. */
  readPage: (after: string) => Promise<ListPage<Row>>
  idOf: (row: Row) => string
  /** Whether an event may have changed the first page. */
  isAbout: (event: LiveEvent) => boolean
}

/**
 * A long list, newest first, that follows the event log: its first page is read again when something
 * happens. At the top, new rows are shown at once; further down, only their number is shown, so that
 * rows don't move while somebody reads.
 */
export function useLiveList<Row>({ queryKey, readPage, idOf, isAbout }: LiveListOptions<Row>) {
  const queryClient = useQueryClient()
  const pages = useInfiniteQuery({
    queryKey,
    queryFn: ({ pageParam }) => readPage(pageParam),
    initialPageParam: '',
    getNextPageParam: (last) => last.next,
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
    refetchOnReconnect: false,
    refetchOnWindowFocus: false,
  })
  const rows = useMemo(() => pages.data?.pages.flatMap(({ items }) => items) ?? [], [pages.data])
  const [held, setHeld] = useState<ListPage<Row>>()
  const isAtTop = useRef(true)
  const show = (head: ListPage<Row>) => {
    setHeld(undefined)
    queryClient.setQueryData<ListPages<Row>>(queryKey, (before) =>
      before === undefined ? before : withHead(before, head, idOf),
    )
  }
  useHeadChecks(pages.data !== undefined, {
    isAbout,
    async check() {
      const head = await readPage('')
      if (isAtTop.current) show(head)
      else setHeld(head)
    },
  })
  const fresh = held === undefined ? undefined : countNew(rows, held, idOf)
  return {
    pages,
    rows,
    /** `3`, `100+`; undefined if nothing is new. */
    newCount:
      fresh === undefined || fresh.count === 0
        ? undefined
        : `${fresh.count}${fresh.isMore ? '+' : ''}`,
    showNew: () => held !== undefined && show(held),
    atTop(now: boolean) {
      const hasCome = now && !isAtTop.current
      isAtTop.current = now
      if (hasCome && held !== undefined) show(held)
    },
  }
}

/** At once for the first event, then at this interval, and less often under heavy load. */
const firstMs = 40
const pauseMs = 250
const busyPauseMs = 1000
const manyEvents = 20

interface HeadChecks {
  isAbout: (event: LiveEvent) => boolean
  check: () => Promise<void>
}

/** Reads the first page again after an event: never twice at once, and throttled. */
function useHeadChecks(hasPages: boolean, options: HeadChecks): void {
  const state = useLiveState()
  const pollMs = usePollMs()
  const isAbout = useEffectEvent(options.isAbout)
  // The stream's status shows the problem; the next event tries again.
  const check = useEffectEvent(() => options.check().catch(() => undefined))
  useEffect(() => {
    if (!hasPages) return undefined
    let timer: ReturnType<typeof setTimeout> | undefined
    let isChecking = false
    let seen = 0
    let notBefore = 0
    const wake = () => {
      seen += 1
      if (isChecking) return
      timer ??= setTimeout(() => void run(), Math.max(firstMs, notBefore - Date.now()))
    }
    const run = async () => {
      timer = undefined
      isChecking = true
      const before = seen
      seen = 0
      await check()
      isChecking = false
      notBefore = Date.now() + (Math.max(before, seen) > manyEvents ? busyPauseMs : pauseMs)
      if (seen > 0) wake()
    }
    const unsubscribe = liveEvents.subscribe((event) => {
      if (isAbout(event)) wake()
    })
    // Catches up on events from before the stream started.
    if (state === 'live') wake()
    const poll = pollMs === false ? undefined : setInterval(wake, pollMs)
    return () => {
      unsubscribe()
      clearInterval(poll)
      clearTimeout(timer)
    }
  }, [state, pollMs, hasPages])
}
