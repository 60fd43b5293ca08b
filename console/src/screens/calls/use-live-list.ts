import { useInfiniteQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useEffectEvent, useMemo, useRef, useState } from 'react'
import { liveEvents } from '../../live/live-events.ts'
import type { LiveEvent } from '../../live/live-events.ts'
import { useLiveState, usePollMs } from '../../live/use-live.ts'
import { countNew, withHead } from './live-list.ts'
import type { ListPage, ListPages } from './live-list.ts'

interface LiveListOptions<Row> {
  /** Not one of the kinds that every event makes stale: the list looks after itself. */
  queryKey: readonly unknown[]
  /** The page after a cursor; the first one for `''`. */
  readPage: (after: string) => Promise<ListPage<Row>>
  idOf: (row: Row) => string
  /** Whether an event may have changed the first page. */
  isAbout: (event: LiveEvent) => boolean
}

/**
 * A long list, newest first, that follows the log: when something happens its first page is read
 * again. At the top it is shown at once; further down it is only said that there is something new,
 * so that nothing moves under whoever reads.
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
    /** `3`, `100+`; undefined where nothing is new. */
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

/** At once for the first event; then so often, and less often where very much happens. */
const firstMs = 40
const pauseMs = 250
const busyPauseMs = 1000
const manyEvents = 20

interface HeadChecks {
  isAbout: (event: LiveEvent) => boolean
  check: () => Promise<void>
}

/** Looks at the first page again when something happened: never twice at once, never in a storm. */
function useHeadChecks(hasPages: boolean, options: HeadChecks): void {
  const state = useLiveState()
  const pollMs = usePollMs()
  const isAbout = useEffectEvent(options.isAbout)
  // What goes wrong is said by the mark of the stream; the next event tries again.
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
    // What came before the stream began is looked up as well.
    if (state === 'live') wake()
    const poll = pollMs === false ? undefined : setInterval(wake, pollMs)
    return () => {
      unsubscribe()
      clearInterval(poll)
      clearTimeout(timer)
    }
  }, [state, pollMs, hasPages])
}
