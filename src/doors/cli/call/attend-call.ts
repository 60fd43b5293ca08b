import type { CallResult } from '../../../core/kernel/call.ts'
import type { CommandContext } from '../command.ts'
import { isAbort, type HttpClient } from '../client/http-client.ts'
import { exit } from '../exit-codes.ts'
import { createProgressLine } from '../output/progress-line.ts'
import { toSafeLine } from '../output/safe-text.ts'
import type { CallWatcher } from './watch-call.ts'

/** How an attended call ended: with its result, or because the person left. */
export type Attended = { result: CallResult } | { exitCode: number }

type Attendance = Pick<CommandContext, 'environment' | 'screen'> & {
  /**
   * Only watches a call that somebody else made: Ctrl-C then leaves without cancelling it (false).
   */
  isOnlyWatched?: boolean
}

/**
 * Follows a call for a person: shows progress, and on Ctrl-C cancels the call and waits for it to
 * end; a second Ctrl-C leaves immediately.
 */
export async function attendCall(
  { environment, screen, isOnlyWatched = false }: Attendance,
  client: HttpClient,
  follow: (watcher: CallWatcher) => Promise<CallResult>,
): Promise<Attended> {
  const leaving = new AbortController()
  const progress = createProgressLine(screen, environment.columns)
  let callId: string | undefined
  let signals = 0
  const stopListening = environment.onSignal(() => {
    signals += 1
    if (signals > 1 || callId === undefined || isOnlyWatched) return leaving.abort()
    progress.print('Cancelling the call; Ctrl-C again leaves immediately.')
    cancel(client, callId).catch((error: unknown) => {
      progress.print(`It could not be cancelled: ${toSafeLine(String(error))}`)
    })
  })
  try {
    const following = follow({
      onCall: (id) => (callId = id),
      onOutput: (output) => progress.show(output),
      onNote: (note) => progress.print(note),
      signal: leaving.signal,
    })
    // Leaving does not wait for the other side.
    return { result: await Promise.race([following, rejectOnAbort(leaving.signal)]) }
  } catch (error) {
    if (!leaving.signal.aborted || !isAbort(error)) throw error
    progress.print(callId === undefined ? 'Stopped before the call began.' : `Left ${callId}.`)
    if (isOnlyWatched)
      progress.print(`It keeps running; toolcrib calls cancel ${callId ?? ''} ends it.`)
    return { exitCode: signals > 1 ? exit.interrupted : exit.stopped }
  } finally {
    progress.clear()
    stopListening()
  }
}

function rejectOnAbort(signal: AbortSignal): Promise<never> {
  return new Promise((_resolve, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason as Error), { once: true })
  })
}

async function cancel(client: HttpClient, callId: string): Promise<void> {
  await client.send(`/calls/${encodeURIComponent(callId)}/cancel`, { method: 'POST' })
}
