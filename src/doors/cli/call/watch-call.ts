import { isSettled } from '../../../core/call-state.ts'
import type { CallRecord } from '../../../core/kernel/call.ts'
import type { CallOutput } from '../../../core/kernel/call-request.ts'
import { isToolError } from '../../../core/kernel/errors.ts'
import type { CribEvent } from '../../../core/events/event.ts'
import type { HttpClient } from '../client/http-client.ts'
import { backoffMs, pause } from '../client/retry.ts'

/** Receives what happens to a call while it runs. */
export interface CallWatcher {
  onCall(callId: string): void
  onOutput(output: CallOutput): void
  /** A note beside the output: a lost connection, a gap. */
  onNote(note: string): void
  signal: AbortSignal
}

/** A server that restarts is back within this many tries. */
const maxFailures = 8

/**
 * Follows a call by its events until it has settled, and returns its record. Survives lost
 * connections.
 */
export async function watchCall(
  client: HttpClient,
  callId: string,
  watcher: Pick<CallWatcher, 'onOutput' | 'signal'>,
): Promise<CallRecord> {
  const path = `/calls/${encodeURIComponent(callId)}`
  const reader = { after: undefined as string | undefined }
  let failures = 0
  for (;;) {
    try {
      const record = await client.read<CallRecord>(path, { signal: watcher.signal })
      if (isSettled(record.status)) return record
      await readOutput(client, callId, { reader, watcher })
      failures = 0
    } catch (error) {
      failures += 1
      const isLost = isToolError(error) && error.code === 'server_unreachable'
      if (!isLost || failures >= maxFailures) throw error
    }
    await pause(backoffMs(failures), watcher.signal)
  }
}

async function readOutput(
  client: HttpClient,
  callId: string,
  {
    reader,
    watcher,
  }: { reader: { after: string | undefined }; watcher: Pick<CallWatcher, 'onOutput' | 'signal'> },
): Promise<void> {
  // The server ends this stream with the event that settles the call.
  const messages = await client.stream('/events', {
    query: { callId, types: 'call.output', after: reader.after },
    signal: watcher.signal,
  })
  for await (const message of messages) {
    reader.after = message.id ?? reader.after
    const event = JSON.parse(message.text) as CribEvent
    if (event.type === 'call.output') watcher.onOutput(event.data)
  }
}
