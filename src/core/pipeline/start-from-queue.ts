import { toCallError } from './call-error.ts'
import type { CallWriter } from './call-recorder.ts'
import type { PreparedCall } from './prepare-call.ts'

/** A queued call is started, is no longer ours to start, or stays queued because it was aborted first. */
export type QueueStart = { kind: 'started'; attempt: number } | { kind: 'gone' } | { kind: 'left' }

const firstDelayMs = 100
const longestDelayMs = 5000

/** The caller has its answer, so a database that does not answer for a while is waited for. */
export async function startFromQueue(
  call: PreparedCall,
  writer: CallWriter,
  onWarning: (message: string) => void,
): Promise<QueueStart> {
  for (let delayMs = firstDelayMs; !call.control.isOver;) {
    try {
      const started = await writer.start()
      return started === undefined
        ? { kind: 'gone' }
        : { kind: 'started', attempt: started.attempt }
    } catch (error) {
      if (delayMs === firstDelayMs) {
        onWarning(`${call.facts.callId} waits to be started: ${toCallError(error).message}`)
      }
      await new Promise((resolve) => setTimeout(resolve, delayMs))
      delayMs = Math.min(longestDelayMs, delayMs * 2)
    }
  }
  return { kind: 'left' }
}
