import { createHmac } from 'node:crypto'

/** The receiver of notifications. */
export interface OutboundWebhook {
  url: string
  /** `whsec_` and base64, or any text. Without one notices are not signed. */
  secret: string | undefined
  /** Reaches the address, which the operator has named. */
  fetch: typeof fetch
}

const timeoutMs = 10_000
/** Only the status of an answer matters, not its content. */
const maxAnswerBytes = 4_096

/**
 * Sends one notice, signed as Standard Webhooks has it. Throws unless the answer is a 2xx: a
 * redirect is not followed, since the signed notice was meant for this address alone.
 */
export async function postOutboxMessage(
  { url, secret, fetch }: OutboundWebhook,
  notice: { id: string; at: number; body: unknown },
): Promise<void> {
  const text = JSON.stringify(notice.body)
  const timestamp = String(Math.floor(notice.at / 1000))
  const response = await fetch(url, {
    method: 'POST',
    redirect: 'manual',
    signal: AbortSignal.timeout(timeoutMs),
    headers: {
      'content-type': 'application/json',
      'user-agent': 'toolcrib',
      'webhook-id': notice.id,
      'webhook-timestamp': timestamp,
      ...(secret !== undefined && {
        'webhook-signature': sign(secret, `${notice.id}.${timestamp}.${text}`),
      }),
    },
    body: text,
  })
  // The response counts with its first line: one whose body never ends is still a response.
  void discard(response).catch(() => undefined)
  if (!response.ok) throw new Error(`it answered ${response.status}`)
}

/** `v1,` and the base64 of HMAC-SHA256. */
export function sign(secret: string, content: string): string {
  const key = secret.startsWith('whsec_')
    ? Buffer.from(secret.slice('whsec_'.length), 'base64')
    : Buffer.from(secret)
  return `v1,${createHmac('sha256', key).update(content).digest('base64')}`
}

/** Read to its end where it is short, so that the connection can be used again; else cut off. */
async function discard(response: Response): Promise<void> {
  let bytes = 0
  // Leaving the loop cancels what is still to come.
  for await (const chunk of response.body ?? []) {
    bytes += chunk.length
    if (bytes > maxAnswerBytes) return
  }
}
