import { isToolError } from '../../core/kernel/errors.ts'

interface Attempt<T> {
  value: T
  response: Response
}

export interface RetryOptions {
  retries: number
  timeoutMs: number
  signal: AbortSignal
}

const firstDelayMs = 250
const busy = new Set([429, 502, 503, 504])

/**
 * Repeats a request without an effect while the server is busy or the connection is reset, within
 * the time of all attempts together.
 */
export async function retrying<T>(
  { retries, timeoutMs, signal }: RetryOptions,
  attempt: (leftMs: number) => Promise<Attempt<T>>,
): Promise<T> {
  const end = performance.now() + timeoutMs
  for (let tries = 0; ; tries++) {
    const leftMs = Math.max(1, Math.ceil(end - performance.now()))
    const isLast = tries >= retries
    const found = await attempt(leftMs).catch((error: unknown) => {
      if (isLast || !isReset(error)) throw error
      return undefined
    })
    if (found !== undefined && (isLast || !busy.has(found.response.status))) return found.value
    const delayMs = (found && retryAfterMs(found.response)) ?? firstDelayMs * 2 ** tries
    // A server that wants more time than there is gets its answer back to the tool.
    if (found !== undefined && delayMs >= end - performance.now()) return found.value
    await found?.response.body?.cancel().catch(() => undefined)
    await pause(Math.min(delayMs, Math.max(0, end - performance.now())), signal)
  }
}

/** Refusals, limits and the end of the call are final. */
function isReset(error: unknown): boolean {
  return (
    isToolError(error) && error.code === 'upstream_failed' && error.details?.['isReset'] === true
  )
}

/** Seconds, or a date, which is compared with the server's own clock. */
function retryAfterMs({ headers }: Response): number | undefined {
  const text = headers.get('retry-after')
  if (text === null) return undefined
  if (/^\d{1,9}$/.test(text.trim())) return Number(text) * 1000
  const delay = Date.parse(text) - Date.parse(headers.get('date') ?? '')
  return Number.isFinite(delay) ? Math.max(0, delay) : undefined
}

function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const onAbort = () => {
      clearTimeout(timer)
      reject(signal.reason as Error)
    }
    const timer = setTimeout(() => {
      signal.removeEventListener('abort', onAbort)
      resolve()
    }, ms)
    if (signal.aborted) onAbort()
    else signal.addEventListener('abort', onAbort, { once: true })
  })
}
