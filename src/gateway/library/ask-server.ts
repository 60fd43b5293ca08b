import type { Caller } from '../../core/kernel/call.ts'
import type { CallerClient } from '../../core/kernel/context/caller-client.ts'
import { redactedClient } from '../../core/client/redacted-client.ts'
import { isToolError, ToolError } from '../../core/kernel/errors.ts'
import type { Redactor } from '../../core/secrets/redact.ts'
import { isRecord } from '../../core/kernel/json/json-type.ts'
import { askCaller, type CallFrame } from '../calls/call-frame.ts'
import type { Server } from '../servers/server.ts'
import { isLost, type JsonRecord, rpcCodes, rpcFaultOf } from '../wire/messages.ts'

interface Asking {
  caller: Caller
  client?: CallerClient | undefined
}

interface Question {
  method: string
  params: JsonRecord
}

const maxRounds = 20
const timeoutMs = 60_000

/**
 * One request outside of calls, with the questions that the server may ask. An unknown item comes
 * as undefined.
 */
export async function askServer(
  server: Server,
  asked: Question,
  asking: Asking,
): Promise<JsonRecord | undefined> {
  try {
    return await askOnce(server, asked, asking)
  } catch (error) {
    if (!isLost(error) || error.details['wasSent'] === true) throw error
    return askOnce(server, asked, asking)
  }
}

async function askOnce(
  server: Server,
  { method, params }: Question,
  { caller, client }: Asking,
): Promise<JsonRecord | undefined> {
  const use = await server.use(caller.principal)
  // A question may repeat what the server was given, which its caller need not know.
  const frame: CallFrame = { tool: method, client: client && redactedClient(client, use.redactor) }
  const { maxResultBytes: maxBytes } = server.facts.spec
  const options = { frame, maxBytes, timeoutMs, ...(client && { abilities: client.abilities }) }
  try {
    let more: JsonRecord = {}
    for (let round = 0; round < maxRounds; round += 1) {
      const result = await use.upstream.request(method, { ...params, ...more }, options)
      if (result['resultType'] !== 'input_required')
        return use.redactor.redactValue(result) as JsonRecord
      const { inputRequests, requestState } = result
      const questions = isRecord(inputRequests) ? inputRequests : {}
      more = {
        ...(Object.keys(questions).length > 0 && {
          inputResponses: await askCaller(frame, questions),
        }),
        ...(requestState !== undefined && { requestState }),
      }
    }
    throw new ToolError('upstream_failed', `${server.facts.key.server} asked without an end`)
  } catch (error) {
    if (isUnknownThere(error, method)) return undefined
    throw clean(error, use.redactor)
  } finally {
    use.release()
  }
}

function isUnknownThere(error: unknown, method: string): boolean {
  const fault = isToolError(error) ? rpcFaultOf(error) : undefined
  // Of a prompt that may mean its arguments, too.
  if (fault?.code === rpcCodes.invalidParams) return method !== 'prompts/get'
  return fault?.code === resourceNotFound || fault?.code === rpcCodes.methodNotFound
}

const resourceNotFound = -32_002

/** The same error without values given to the server, including its details. */
function clean(error: unknown, redactor: Redactor): unknown {
  if (redactor.isEmpty || !isToolError(error)) return error
  const { code, message, retryable, fix, details } = error
  return new ToolError(code, redactor.redactText(message), {
    retryable,
    details: redactor.redactValue(details as JsonRecord) as typeof details,
    ...(fix !== undefined && { fix }),
  })
}
