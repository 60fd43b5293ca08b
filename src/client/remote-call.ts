import type { CallRecord, CallResult } from '../core/kernel/call.ts'
import { ToolError } from '../core/kernel/errors.ts'
import { toCallError } from '../core/pipeline/record/call-error.ts'
import type { PortRequest, ToolPort } from '../core/offer/tool-port.ts'
import { type CallableTool, nameOfTool } from '../core/kernel/callable-tool.ts'
import type { RemoteAs } from './remote-offer.ts'

/** How a tool is called. */
export type RemoteCallOptions = RemoteAs &
  Pick<
    PortRequest,
    'idempotencyKey' | 'timeoutMs' | 'respondAsync' | 'priority' | 'signal' | 'onOutput'
  > & {
    /**
     * Wait up to this many seconds for a call that is queued or waits for someone; `true`: forever.
     */
    wait?: number | true
    /** Start it this many seconds from now. */
    delay?: number
  }

interface GivenCall {
  tool: CallableTool | string
  input: unknown
  given: RemoteCallOptions | undefined
}

/** Calls a tool of a crib elsewhere. Never rejects. */
export async function callRemote(
  portOf: (as: RemoteAs) => ToolPort,
  { tool, input = {}, given = {} }: GivenCall,
): Promise<CallResult> {
  const { agent, skill, sessionId, wait = 0, delay, ...request } = given
  const as = { agent, skill, sessionId }
  try {
    assertTool(tool)
    const port = portOf(withoutAbsent(as))
    const startAt = delay === undefined ? undefined : Date.now() + delay * 1000
    const result = await port.call({ tool: nameOfTool(tool), input, startAt, ...request })
    const waitMs = wait === true ? Number.POSITIVE_INFINITY : wait * 1000
    if (waitMs <= 0 || result.callId === undefined || !isOpen(result)) return result
    return toResult(await port.findCall(result.callId, { waitMs, signal: given.signal }))
  } catch (error) {
    return { status: 'failed', error: toCallError(error) }
  }
}

function assertTool(tool: unknown): void {
  const name = (tool as Partial<CallableTool> | null | undefined)?.contract?.name
  if (typeof tool === 'string' || typeof name === 'string') return
  throw new ToolError('invalid_request', 'crib.call got no tool', {
    fix: "Pass a tool's name, or what defineTool returned.",
  })
}

function isOpen({ status }: CallResult): boolean {
  return status === 'queued' || status === 'running' || status === 'waiting'
}

function toResult(record: CallRecord): CallResult {
  const { callId, status, output, error, artifact, warnings, waitingFor, approvalId } = record
  return withoutAbsent({
    callId,
    status,
    output,
    error,
    artifact,
    warnings,
    waitingFor,
    approvalId,
  })
}

function withoutAbsent<T extends object>(value: T): T {
  return Object.fromEntries(Object.entries(value).filter(([, part]) => part !== undefined)) as T
}
