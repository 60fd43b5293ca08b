import type { Caller } from '../../core/kernel/call.ts'
import { asAgent } from '../../core/kernel/caller.ts'
import { ToolError } from '../../core/kernel/errors.ts'
import type { JsonValue } from '../../core/kernel/json.ts'
import { fillInput } from '../../core/pipeline/input-files.ts'
import type { PipelinePorts } from '../../core/pipeline/ports.ts'
import { toJsonValue } from '../../core/pipeline/output/to-json-value.ts'
import { findHiding } from '../../core/explain/explain.ts'
import { findToolState } from '../../core/policy/tool-state.ts'
import type { CheckedChange } from './change-schedule.ts'
import type { ScheduleAuthority, StoredSchedule } from './model.ts'
import type { ScheduleChange } from './schemas.ts'
import { parseWhen } from './timing/timing.ts'
import { checkSecretFields } from '../../core/secrets/secret-fields.ts'
import type { InputSeal } from '../../core/secrets/input-seal.ts'
import { requirePermission } from '../../core/operations/require-permission.ts'
import { restoreInput } from './kept-input.ts'

const longestInput = 256 * 1024

/** The dependencies for checking the tool of a schedule. */
type WorkChecks = Pick<PipelinePorts, 'registry' | 'scopeFor' | 'refusals' | 'uploads'>

/** The author and time of a change. */
interface ChangedBy {
  caller: Caller
  parts: { pipeline: WorkChecks; inputs: InputSeal }
  now: number
}

/** The work of a schedule, and its authority. */
export interface CheckedWork {
  tool: string
  input: JsonValue
  authority: ScheduleAuthority
}

/**
 * Checks that this caller sees the tool and that the input matches it. Unknown and invisible tools
 * get the same answer. People may schedule a tool whose secret is missing, because they can set it.
 */
export async function checkWork(
  { tool: name, input: given, agent }: { tool: string; input?: unknown; agent?: string },
  caller: Caller,
  ports: WorkChecks,
): Promise<CheckedWork> {
  const as = asAgent(caller, { agent })
  const scope = await ports.scopeFor(as)
  const entry = ports.registry.find(name, scope.tenant)
  const standing = entry && findToolState(entry, scope)
  const isOffered =
    standing !== undefined && (scope.agent === undefined || standing.state === 'ready')
  if (entry === undefined || !isOffered) {
    throw await ports.refusals.refuse(as, name, entry && findHiding(entry, scope))
  }
  const input = toJsonValue(given ?? {}).value
  assertStorable(input)
  checkSecretFields(entry.contract, input)
  const filled = await fillInput(entry.contract, { input, caller: as }, ports)
  const parsed = entry.tool.parseInput(filled.input)
  if (!parsed.ok) {
    throw new ToolError(
      'invalid_input',
      `The input does not match the schema of ${entry.tool.contract.name}`,
      {
        issues: parsed.issues,
      },
    )
  }
  const { principal, permissions, runtime, parents, skill } = as
  const chain = { ...(parents && { parents }), ...(skill !== undefined && { skill }) }
  const authority = { principal, permissions, runtime, ...chain }
  return { tool: entry.tool.contract.name, input, authority }
}

/**
 * Checks a change. A schedule runs with the permissions of the person who last changed its tool or
 * input: someone with fewer permissions must not act through someone with more.
 */
export async function checkChange(
  seen: StoredSchedule,
  { when, tool, input, ...change }: ScheduleChange,
  { caller, parts, now }: ChangedBy,
): Promise<CheckedChange> {
  const timing = when === undefined ? {} : { timing: parseWhen(when, now) }
  if (tool === undefined && input === undefined) return { ...change, ...timing }
  requirePermission(caller, 'tools.call')
  const isSameTool = tool === undefined || tool === seen.tool
  const wanted = {
    tool: tool ?? seen.tool,
    // Secrets stay with the tool they were entered for.
    input: isSameTool ? restoreInput(seen, input, { caller, ...parts }) : (input ?? seen.input),
    agent: seen.agent,
  }
  return { ...change, ...timing, ...(await checkWork(wanted, caller, parts.pipeline)) }
}

function assertStorable(input: JsonValue): void {
  if (JSON.stringify(input).length <= longestInput) return
  const message = `is over ${longestInput} characters`
  throw new ToolError('invalid_request', `input ${message}`, {
    issues: [{ path: '/input', message }],
  })
}
