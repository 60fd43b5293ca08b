import { keepPreviousData, useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useEffectEvent, useReducer, useRef, useState } from 'react'
import { api, read } from '../../api/client.ts'
import type { Api } from '../../api/client.ts'
import { useLiveEvents } from '../../live/use-live.ts'
import { changeBy } from '../calls/call-row.ts'
import { emptyLog, withCallEvents } from './call-log.ts'
import type { CallEvent, CallLog } from './call-log.ts'
import { followCall } from './follow-call.ts'
import type { StreamState } from './follow-call.ts'

export function isSettled(status: string): boolean {
  return ['completed', 'failed', 'denied', 'cancelled'].includes(status)
}

/** Not among the query keys that every event invalidates: a call is refetched when its own log changes. */
const callKind = 'one-call'
const traceKind = 'call-trace'

/** One call, its growing event log, and the state of its stream. */
export function useCall(callId: string) {
  const queryClient = useQueryClient()
  const queryKey = [callKind, callId]
  const query = useQuery({
    queryKey,
    queryFn: () => read(api.GET('/api/v1/calls/{id}', { params: { path: { id: callId } } })),
    staleTime: Number.POSITIVE_INFINITY,
    refetchOnWindowFocus: false,
  })
  const { log, stream } = useCallLog(callId, (events) => {
    const known = queryClient.getQueryData<Api<'CallRecord'>>(queryKey)
    if (known !== undefined && isSettled(known.status)) return
    if (events.every(({ type }) => type === 'call.output')) return
    void queryClient.invalidateQueries({ queryKey, exact: true })
  })
  const call = query.data === undefined ? undefined : asTold(query.data, log)
  return { query, call, log, stream }
}

/** The call with the status from its log, which is newer than the record. */
function asTold(call: Api<'CallRecord'>, { events }: CallLog): Api<'CallRecord'> {
  if (isSettled(call.status)) return call
  const change = events.map(changeBy).findLast((one) => one !== undefined)
  if (change?.status === undefined || isSettled(change.status)) return call
  return { ...call, status: change.status }
}

function useCallLog(callId: string, onTold: (events: readonly CallEvent[]) => void) {
  const [log, add] = useReducer(withCallEvents, emptyLog)
  const [stream, setStream] = useState<StreamState>('connecting')
  const tell = useEffectEvent(onTold)
  useEffect(() => {
    const stop = new AbortController()
    void followCall(callId, {
      signal: stop.signal,
      onState: (state) => !stop.signal.aborted && setStream(state),
      onEvents(events) {
        if (stop.signal.aborted) return
        add(events)
        tell(events)
      },
    })
    return () => stop.abort()
  }, [callId])
  return { log, stream }
}

const tracePauseMs = 300

/** All nested calls, oldest first; refetched as the log reports them. */
export function useTrace(callId: string, isRunning: boolean) {
  const query = useQuery({
    // Refetched once more after the call ends, because no further events follow.
    queryKey: [traceKind, callId, isRunning],
    placeholderData: keepPreviousData,
    queryFn: () =>
      read(
        api.GET('/api/v1/calls', {
          params: { query: { under: callId, brief: 'true', limit: 200 } },
        }),
      ),
    staleTime: Number.POSITIVE_INFINITY,
    refetchOnWindowFocus: false,
    refetchInterval: isRunning ? 3000 : false,
  })
  const nested = query.data?.items
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  useLiveEvents(({ type, callId: about, data }) => {
    if (!type.startsWith('call.') || type === 'call.output' || about === callId) return
    const isOurs = (id: string | undefined) =>
      id !== undefined && (id === callId || nested?.some((one) => one.callId === id) === true)
    if (!isOurs(about) && !isOurs(data.parentId)) return
    timer.current ??= setTimeout(() => {
      timer.current = undefined
      void query.refetch()
    }, tracePauseMs)
  })
  useEffect(() => () => clearTimeout(timer.current), [])
  const { dataUpdatedAt: changedAt } = query
  return { nested: nested?.toReversed() ?? [], isCut: query.data?.next !== undefined, changedAt }
}
