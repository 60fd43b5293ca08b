import { completeCall } from '../../core/async/complete-call.ts'
import type { CompletionDoor } from '../../core/async/completion.ts'
import type { OutsideProgress } from '../../core/async/outside-progress.ts'
import type { PipelinePorts } from '../../core/pipeline/ports.ts'
import type { Stores } from '../stores.ts'

interface CompletionParts {
  store: Stores
  ports: PipelinePorts
  progress: OutsideProgress
}

/** For external workers, which have a token for one call and nothing else. */
export function createCompletionDoor({ store, ports, progress }: CompletionParts): CompletionDoor {
  const { calls, events, secrets, groups } = store
  return {
    complete: (callId, token, read) =>
      completeCall(
        { callId, token },
        async () => {
          const report = await read()
          // Progress reported before the end is recorded before it.
          await progress.end(callId)
          return report
        },
        { ...ports, calls, events, secrets, groups },
      ),
    reportProgress: (callId, token, read) => progress.report({ callId, token }, read),
  }
}
