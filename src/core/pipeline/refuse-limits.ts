import type { Caller } from '../kernel/call.ts'
import { type ErrorCode, isToolError } from '../kernel/errors.ts'
import { toNamed } from '../policy/compiled-scope.ts'
import type { Scope } from '../policy/scope.ts'
import type { RegisteredTool } from '../registry.ts'
import type { PipelinePorts } from './ports.ts'

interface FoundTool {
  entry: RegisteredTool
  scope: Scope
}

type Ports = Pick<PipelinePorts, 'limiter'>

/** Refuses a call that no limit would ever admit, before a person is asked or anything waits. */
export function refuseImpossible({ entry, scope }: FoundTool, caller: Caller, ports: Ports): void {
  const { limits } = scope
  if (limits !== undefined) {
    ports.limiter.refuseImpossible({ limits, tool: toNamed(entry), caller })
  }
}

/** Refuses a caller who was refused too often recently, without checking the request. */
export function refuseBlocked({ entry, scope }: FoundTool, caller: Caller, ports: Ports): void {
  const { limits } = scope
  if (limits !== undefined) ports.limiter.refuseBlocked({ limits, tool: toNamed(entry), caller })
}

/** Errors caused by the caller, not by the server or a limit. */
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
 * Counts a refused request towards the caller's calls per minute. Returns the error to answer with:
 * that of the limit when it is used up.
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
