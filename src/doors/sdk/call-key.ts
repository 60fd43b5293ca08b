const maxKeyChars = 255
const visibleAscii = /^[\x21-\x7e]+$/

/**
 * The idempotency key of a model's tool call. Ids come from providers, and in a history from its
 * sender: invalid ones are hashed.
 */
export async function toCallKey(runId: string, toolCallId: string): Promise<string> {
  // Both lengths are fixed by the first, so that no other pair makes the same key.
  const key = `${runId.length}:${runId}:${toolCallId}`
  if (key.length <= maxKeyChars && visibleAscii.test(key)) return key
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(key))
  return `sha256:${[...new Uint8Array(digest)].map((byte) => byte.toString(16).padStart(2, '0')).join('')}`
}
