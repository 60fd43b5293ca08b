import type { Caller } from '../../core/call.ts'
import type { CallerClient } from '../../core/client/caller-client.ts'
import { isToolError, ToolError } from '../../core/errors.ts'
import { isRecord } from '../../core/schema/json/json-type.ts'
import { askCaller, type CallFrame } from '../calls/call-frame.ts'
import type { Server } from '../servers/server.ts'
import { isLost, type JsonRecord, rpcFaultOf } from '../wire/messages.ts'

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

/** One request beside calls, with the questions the server may have. What it does not know comes as undefined. */
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
  const frame: CallFrame = { tool: method, client }
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
    const fault = isToolError(error) ? rpcFaultOf(error) : undefined
    if (fault !== undefined && [-32_002, -32_601, -32_602].includes(fault.code)) {
      return undefined
    }
    throw error
  } finally {
    use.release()
  }
}
