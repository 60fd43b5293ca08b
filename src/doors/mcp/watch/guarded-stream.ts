import { isToolError } from '../../../core/kernel/errors.ts'
import type { CoreApi } from '../../../core/crib-api.ts'
import type { McpRequestContext } from '../mcp-request-context.ts'

/** A stream that can be ended from here. */
export interface GuardedStream {
  response: Response
  /** Sends the last event and closes. */
  end(): void
}

export interface StreamGuard {
  api: Pick<CoreApi, 'watchAccess'>
  requestContext: McpRequestContext
  recheckMs: number
  /** The last frame, where the server ends it. */
  lastWords?: string
  onClose(): void
}

/** Several changes at once are one reason to look. */
const changePauseMs = 200

/**
 * An answer that stays open while its reader is allowed to read: a revoked or expired key ends it,
 * at once if a change is announced, otherwise at the next check.
 */
export function guardStream(response: Response, guard: StreamGuard): GuardedStream {
  const { api, requestContext, onClose } = guard
  if (response.body === null) return { response, end: () => undefined }
  const reader = response.body.getReader()
  let out: ReadableStreamDefaultController<Uint8Array> | undefined
  let isClosed = false
  let pause: NodeJS.Timeout | undefined
  const unwatch = api.watchAccess(requestContext.caller, () => {
    pause ??= setTimeout(() => {
      pause = undefined
      void look()
    }, changePauseMs)
  })
  const timer = setInterval(() => void look(), guard.recheckMs)
  timer.unref()

  function close(): void {
    if (isClosed) return
    isClosed = true
    clearInterval(timer)
    clearTimeout(pause)
    unwatch()
    onClose()
  }
  function end(): void {
    if (isClosed) return
    close()
    if (guard.lastWords !== undefined) out?.enqueue(new TextEncoder().encode(guard.lastWords))
    out?.close()
    reader.cancel().catch(() => undefined)
  }
  async function look(): Promise<void> {
    try {
      await requestContext.recheck()
    } catch (error) {
      // An unreachable store proves nothing about the key.
      if (isToolError(error) && refusals.has(error.code)) end()
    }
  }
  const body = new ReadableStream<Uint8Array>(
    {
      start(controller) {
        out = controller
      },
      async pull(controller) {
        const { done, value } = await readOr(close, reader)
        if (isClosed) return
        if (!done) return controller.enqueue(value)
        close()
        controller.close()
      },
      async cancel(reason) {
        close()
        await reader.cancel(reason)
      },
    },
    { highWaterMark: 0 },
  )
  const { status, headers } = response
  return { response: new Response(body, { status, headers }), end }
}

const refusals: ReadonlySet<string> = new Set(['unauthorized', 'forbidden', 'tenant_suspended'])

/** A broken stream counts as ended. */
async function readOr(onFail: () => void, reader: ReadableStreamDefaultReader<Uint8Array>) {
  try {
    return await reader.read()
  } catch (error) {
    onFail()
    throw error
  }
}
