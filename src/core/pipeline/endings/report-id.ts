import type { ChainedRequest } from '../chained-request.ts'

/** Gives the caller the id of its call. A listener that throws still gets the result. */
export function reportId(request: ChainedRequest, callId: string): void {
  try {
    request.onCall?.(callId)
  } catch {
    // The call goes on.
  }
}
