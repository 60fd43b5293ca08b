import type { CallResult, Caller } from '../call.ts'
import { type ErrorCode, isToolError } from '../errors.ts'
import type { Permit } from '../limits/permit.ts'
import type { Spent } from '../limits/usage-totals.ts'
import { toNamed } from '../policy/compiled-scope.ts'
import type { Scope } from '../policy/scope.ts'
import type { RegisteredTool } from '../registry.ts'
import { costOf } from './record/call-cost.ts'
import type { ChainedRequest } from './chained-request.ts'
import type { PipelinePorts } from './ports.ts'
import type { PreparedCall } from './context/prepare-call.ts'
import { utf8Length } from './output/utf8.ts'

interface FoundTool {
  entry: RegisteredTool
  scope: Scope
}

type Ports = Pick<PipelinePorts, 'limiter'>

/** A call that no limit ever lets through is refused before anybody is asked or waits for it. */
export function refuseImpossible({ entry, scope }: FoundTool, caller: Caller, ports: Ports): void {
  const { limits } = scope
  if (limits !== undefined) {
    ports.limiter.refuseImpossible({ limits, tool: toNamed(entry), caller })
  }
}

/** Whoever was refused too often a moment ago is refused unseen. */
export function refuseBlocked({ entry, scope }: FoundTool, caller: Caller, ports: Ports): void {
  const { limits } = scope
  if (limits !== undefined) ports.limiter.refuseBlocked({ limits, tool: toNamed(entry), caller })
}

/** What the caller did wrong, rather than this server or a limit. */
const countedCodes: ReadonlySet<ErrorCode> = new Set<ErrorCode>([
  'tool_not_found',
  'invalid_input',
  'not_found',
  'idempotency_mismatch',
  'secret_missing',
  'cannot_wait',
  'call_too_deep',
])

/**
 * A request that became no call still counts as one of the caller's calls a minute. Gives the error
 * to answer with: that of the limit where those are used up.
 */
export async function countRefused(
  error: unknown,
  from: { caller: Caller; scope: Scope | undefined; entry: RegisteredTool | undefined },
  ports: Ports,
): Promise<unknown> {
  const limits = from.scope?.limits
  if (limits === undefined || !isToolError(error) || !countedCodes.has(error.code)) return error
  try {
    const tool = from.entry && toNamed(from.entry)
    await ports.limiter.countRefused({ limits, tool, caller: from.caller })
    return error
  } catch (full) {
    return full
  }
}

/** The permit this call takes while it runs; undefined, and at once, where nothing limits it. */
export function takePermit(
  { entry, scope }: FoundTool,
  from: Pick<ChainedRequest, 'caller' | 'held'> & { isAgain?: boolean },
  ports: Ports,
): Promise<Permit | undefined> | undefined {
  const { limits } = scope
  if (limits === undefined) return undefined
  const { caller, held, isAgain } = from
  return ports.limiter.enter({ limits, tool: toNamed(entry), caller, held, isAgain })
}

/** Runs a recorded call: from here on it counts, and what it used is known once it has ended. */
export function runIn(
  permit: Permit | undefined,
  call: PreparedCall,
  run: () => Promise<CallResult>,
): Promise<CallResult> {
  return permit === undefined ? run() : runCounted(permit, call, run)
}

async function runCounted(
  permit: Permit,
  call: PreparedCall,
  run: () => Promise<CallResult>,
): Promise<CallResult> {
  permit.begin()
  const result = await run()
  permit.spend(spentBy(result, call))
  return result
}

/** As the daily figures will have it, without what was counted while it ran. */
function spentBy({ status, output, artifact }: CallResult, call: PreparedCall): Spent {
  const shown = output === undefined ? 0 : utf8Length(JSON.stringify(output))
  const { units, counted } = call.spending
  const left = units - counted
  const cost = status === 'completed' ? costOf(status, call.facts.contract, left) : left
  return { outputBytes: artifact?.bytes ?? shown, cost }
}
