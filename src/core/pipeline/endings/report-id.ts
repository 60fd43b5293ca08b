import type { ChainedRequest } from '../chained-request.ts'

/**
 * Gives the caller the id of its call. If the listener throws, the caller still gets the result.
 */
export function reportId(request: ChainedRequest, callId: string): void {
  try {
    request.onCall?.(callId)
  } catch {
    // The call continues.
  }
}
