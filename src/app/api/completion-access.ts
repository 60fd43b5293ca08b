import { completeCall } from '../../core/async/complete-call.ts'
import type { OutsideProgress } from '../../core/async/outside-progress.ts'
import type { CribApi } from '../../features/crib-api.ts'
import type { PipelinePorts } from '../../core/pipeline/ports.ts'
import type { Store } from '../../core/ports.ts'

interface CompletionAccessOptions {
  store: Store
  ports: PipelinePorts
  outsideProgress: OutsideProgress
}

/** For workers outside, who have a token for one call and nothing else. */
export function createCompletionAccess({
  store,
  ports,
  outsideProgress,
}: CompletionAccessOptions): Pick<CribApi, 'complete' | 'reportProgress'> {
  const { calls, events, secrets, groups } = store
  return {
    complete: (callId, token, read) =>
      completeCall(
        { callId, token },
        async () => {
          const report = await read()
          // What was reported before the end is told before the end.
          await outsideProgress.end(callId)
          return report
        },
        { ...ports, calls, events, secrets, groups },
      ),
    reportProgress: (callId, token, read) => outsideProgress.report({ callId, token }, read),
  }
}
