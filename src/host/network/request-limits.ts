import type { WebRequest } from '../../core/kernel/context/web.ts'
import { ToolError } from '../../core/kernel/errors.ts'

/** The limits of one exchange. */
export interface RequestLimits {
  /** Of the caller and of the deadline. */
  readonly signal: AbortSignal | undefined
  readonly maxBytes: number | undefined
  /** Called when the body has ended, or nobody reads it any more. */
  end: (() => void) | undefined
}

/** Starts the time of an exchange, which ends with its body. */
export function startLimits(
  { timeoutMs, maxBytes, signal }: WebRequest,
  host: string,
): RequestLimits {
  if (timeoutMs === undefined) return { signal: signal ?? undefined, maxBytes, end: undefined }
  const controller = new AbortController()
  const onAbort = () => controller.abort(signal?.reason)
  const onTime = () => controller.abort(tooLate(host, timeoutMs))
  const timer = setTimeout(onTime, timeoutMs)
  if (signal?.aborted === true) onAbort()
  else signal?.addEventListener('abort', onAbort, { once: true })
  return {
    signal: controller.signal,
    maxBytes,
    end() {
      clearTimeout(timer)
      signal?.removeEventListener('abort', onAbort)
    },
  }
}

/** The same body, which ends in an error when it exceeds its limits. Counted as it is read. */
export function limitBody(
  body: ReadableStream<Uint8Array>,
  limits: RequestLimits,
): ReadableStream<Uint8Array> {
  const { maxBytes = Infinity, end = () => undefined } = limits
  if (limits.maxBytes === undefined && limits.end === undefined) return body
  const reader = body.getReader()
  let bytes = 0
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        const step = await reader.read().catch((error: unknown) => {
          end()
          throw error
        })
        if (step.done) {
          end()
          return controller.close()
        }
        bytes += step.value.byteLength
        if (bytes <= maxBytes) return controller.enqueue(step.value)
        end()
        void reader.cancel().catch(() => undefined)
        throw tooLarge(maxBytes)
      },
      cancel(reason) {
        end()
        return reader.cancel(reason)
      },
    },
    { highWaterMark: 0 },
  )
}

function tooLate(host: string, timeoutMs: number): ToolError {
  return new ToolError('timeout', `${host} did not answer in full within ${timeoutMs} ms`, {
    fix: 'Try again later, ask for less, or allow more time.',
  })
}

function tooLarge(maxBytes: number): ToolError {
  return new ToolError('quota_exceeded', `The response has more than ${maxBytes} bytes`, {
    fix: 'Ask for less, or allow more bytes.',
  })
}
