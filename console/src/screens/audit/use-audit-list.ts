import { useInfiniteQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useEffectEvent, useMemo, useReducer, useRef, useState } from 'react'
import { api, read } from '../../api/client.ts'
import { liveEvents } from '../../live/live-events.ts'
import { useLiveState, usePollMs } from '../../live/use-live.ts'
import { sayFailed } from '../../ui/say.ts'
import { toAuditQuery } from './audit-filter.ts'
import type { AuditFilter } from './audit-filter.ts'
import { nothingNew, shown, withHead } from './live-audit.ts'
import type { LiveAudit } from './live-audit.ts'

const pageSize = 100
/** At once for the first event of a burst, then so often: filters are the server's to apply. */
const firstMs = 60
const pauseMs = 1500

type Step = (before: LiveAudit) => LiveAudit

/** The log by pages, with what is new put above. Drawn anew (by key) for other filters. */
export function useAuditList(filter: AuditFilter) {
  const queryClient = useQueryClient()
  const queryKey = ['audit-pages', filter]
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
  const [live, apply] = useReducer((before: LiveAudit, step: Step) => step(before), nothingNew)
  const isAtTop = useRef(true)
  const startAnew = async () => {
    const page = await readPage(filter, { openedAt, after: '' })
    queryClient.setQueryData(queryKey, { pages: [page], pageParams: [''] })
    apply(() => nothingNew)
  }
  useHead(pages.data !== undefined, async () => {
    const { items } = await readPage(filter, { openedAt, after: '' })
    const place = { top: read[0]?.id, isAtTop: isAtTop.current }
    apply((before) => withHead(before, items, place))
    if (isAtTop.current && withHead(live, items, place).isTorn) await startAnew()
  })
  const showNew = () => {
    if (live.isTorn) void startAnew().catch(sayFailed)
    else apply(shown)
  }
  const rows = useMemo(() => [...live.fresh, ...read], [live.fresh, read])
  return {
    pages,
    rows,
    newCount: live.held.length,
    isTorn: live.isTorn,
    showNew,
    atTop(now: boolean) {
      const hasCome = now && !isAtTop.current
      isAtTop.current = now
      if (hasCome && live.held.length > 0) showNew()
    },
  }
}

function readPage(filter: AuditFilter, { openedAt, after }: { openedAt: number; after: string }) {
  const query = {
    ...toAuditQuery(filter, openedAt),
    limit: pageSize,
    ...(after !== '' && { after }),
  }
  return read(api.GET('/api/v1/audit', { params: { query } }))
}

/** Looks at the first page again when something happened, never twice at once and never in a storm. */
function useHead(hasPages: boolean, check: () => Promise<void>): void {
  const state = useLiveState()
  const pollMs = usePollMs()
  // What goes wrong is said by the mark of the stream; the next event tries again.
  const look = useEffectEvent(() => check().catch(() => undefined))
  useEffect(() => {
    if (!hasPages) return undefined
    let timer: ReturnType<typeof setTimeout> | undefined
    let lastAt = 0
    const run = async () => {
      await look()
      lastAt = Date.now()
      timer = undefined
    }
    const wake = () => {
      const waitMs = Math.max(firstMs, pauseMs - (Date.now() - lastAt))
      timer ??= setTimeout(() => void run(), waitMs)
    }
    const unsubscribe = liveEvents.subscribe(({ type }) => {
      if (type !== 'call.output') wake()
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
