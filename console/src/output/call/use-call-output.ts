import { useEffect, useRef, useState } from 'react'
import { api, read } from '../../api/client.ts'
import { useLiveEvents } from '../../live/use-live.ts'
import { joinOutput } from './join-output.ts'
import type { CallOutput } from './join-output.ts'

/** Follows a call: its output so far, and new output while it is on the screen. */
export function useCallOutput(callId: string): CallOutput {
  const [seen, setSeen] = useState<CallOutput & { of: string }>({ of: callId })
  const reader = useRef<OutputReader>(null)
  useEffect(() => {
    const made = createOutputReader(callId, (told) =>
      setSeen((before) => ({
        ...joinOutput(before.of === callId ? before : {}, told),
        of: callId,
      })),
    )
    reader.current = made
    made.read()
    return () => made.stop()
  }, [callId])
  useLiveEvents((event) => {
    if (event.callId === callId) reader.current?.read()
  })
  return seen.of === callId ? seen : {}
}

interface OutputReader {
  read(): void
  stop(): void
}

/** Continues where it stopped, one request at a time: a tool may write faster than anybody can read. */
function createOutputReader(callId: string, onTold: (told: CallOutput) => void): OutputReader {
  let after: string | undefined
  let isReading = false
  let isWanted = false
  let isStopped = false
  async function pull(): Promise<void> {
    do {
      isWanted = false
      const query = { callId, types: 'call.output', ...(after !== undefined && { after }) }
      const page = await read(api.GET('/api/v1/events', { params: { query } }))
      if (isStopped || typeof page === 'string') return
      after = page.next ?? after
      // In one update: a call that ran for long has much output, and only its end is drawn.
      const told = page.items.map(({ data }) => data as CallOutput)
      if (told.length > 0) onTold(told.reduce(joinOutput, {}))
      isWanted ||= page.hasMore
    } while (isWanted)
  }
  return {
    read() {
      isWanted = true
      if (isReading || isStopped) return
      isReading = true
      // A failed read is repeated with the next one; the end of the call is reported elsewhere.
      void pull()
        .catch(() => undefined)
        .finally(() => (isReading = false))
    },
    stop() {
      isStopped = true
    },
  }
}
