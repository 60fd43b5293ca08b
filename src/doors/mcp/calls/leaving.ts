import { SdkError } from '@modelcontextprotocol/server'

/** Said for a client that is gone. */
export const leftReason = 'The client has left'

/**
 * Did the client only leave? That ends what runs for it alone. What waits in the store, or runs in the
 * background, is ended by whoever says so.
 */
export function hasLeft({ reason }: AbortSignal): boolean {
  return reason === leftReason || reason instanceof SdkError
}
