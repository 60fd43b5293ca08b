import type { CallContext } from '../../../core/kernel/call.ts'
import { isToolError, ToolError } from '../../../core/kernel/errors.ts'
import { readAnswer } from '../calls/read-answer.ts'
import { signRequest } from '../calls/sign-request.ts'
import { toRequest } from '../calls/to-request.ts'
import type { AuthScheme, JsonObject, ApiOperation } from '../model.ts'
import type { ApiSpec } from '../spec.ts'

export interface OperationTarget {
  spec: ApiSpec & { server: string }
  schemes: readonly AuthScheme[]
  definition: ApiOperation
  /** Running it twice is the same as once. */
  isRepeatable: boolean
}

/** Sends the request of an operation. */
export async function callOperation(
  target: OperationTarget,
  input: JsonObject,
  context: CallContext,
): Promise<unknown> {
  const { spec, schemes, definition } = target
  const server = definition.server ?? spec.server
  const readFile = (value: string) => context.files.read(value)
  const request = await toRequest(input, { definition, server, readFile })
  const isHome = request.url.origin === new URL(spec.server).origin
  if (isHome) {
    const { security } = definition
    signRequest(request, { spec, schemes, security, secrets: context.secrets })
  }
  const answer = await send(target, request, context)
  const isSigned = isHome && Object.keys(context.secrets).length > 0
  return readAnswer(answer, { host: request.url.host, isSigned, artifacts: context.artifacts })
}

async function send(
  { spec, definition, isRepeatable }: OperationTarget,
  { url, method, headers, body }: Awaited<ReturnType<typeof toRequest>>,
  { web }: CallContext,
) {
  try {
    return await web.readPage(url, {
      method,
      headers,
      ...(body !== undefined && {
        body: body instanceof Uint8Array ? new Blob([new Uint8Array(body)]) : body,
      }),
      timeoutMs: spec.timeoutMs,
      maxBytes: spec.maxResponseBytes,
    })
  } catch (error) {
    if (isRepeatable || !mayHaveHappened(error)) throw error
    const message = `${url.host} did not answer ${definition.method} ${definition.path}: it may have happened`
    throw new ToolError('outcome_unknown', message, {
      cause: error,
      fix: 'Look at what the API holds before you call it again.',
    })
  }
}

/** The request was sent, or may have been, and its answer was lost. */
function mayHaveHappened(error: unknown): boolean {
  if (!isToolError(error)) return false
  if (error.code === 'timeout' || error.code === 'quota_exceeded') return true
  if (error.code !== 'upstream_failed' || error.details['isReset'] !== true) return false
  return !hasCode(error, 'ECONNREFUSED')
}

function hasCode(error: unknown, code: string): boolean {
  for (let cause = error; cause instanceof Error; cause = cause.cause) {
    if ((cause as { code?: unknown }).code === code) return true
  }
  return false
}
