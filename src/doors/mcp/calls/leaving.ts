import { SdkError } from '@modelcontextprotocol/server'

/** The reason used when a client has disconnected. */
export const leftReason = 'The client has left'

/**
 * Whether the client only disconnected. That ends only work that runs for it alone. Work that waits
 * in the store or runs in the background ends only when it is cancelled.
 */
export function hasLeft({ reason }: AbortSignal): boolean {
  return reason === leftReason || reason instanceof SdkError
}
