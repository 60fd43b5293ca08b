import type { Caller } from '../../core/call.ts'
import { asAgent } from '../../core/caller.ts'
import { ToolError } from '../../core/errors.ts'
import type { JsonValue } from '../../core/json.ts'
import { fillInput } from '../../core/pipeline/input-files.ts'
import type { PipelinePorts } from '../../core/pipeline/ports.ts'
import { toJsonValue } from '../../core/pipeline/to-json-value.ts'
import { findHiding } from '../../core/policy/explain.ts'
import { findToolState } from '../../core/policy/tool-state.ts'
import type { Registry } from '../../core/registry.ts'
import type { CheckedChange } from '../../core/schedules/change-schedule.ts'
import { mostRetries } from '../../core/schedules/retry-rule.ts'
import { overlaps } from '../../core/schedules/schedule.ts'
import type { Authority, ScheduleChange, StoredSchedule } from '../../core/schedules/schedule.ts'
import { parseWhen } from '../../core/schedules/timing.ts'
import { checkSecretFields } from '../../core/schema/secret-fields.ts'
import type { InputSeal } from '../../core/secrets/input-seal.ts'
import type { ScopeSource } from '../governance/scope-source.ts'
import { requirePermission } from './permissions.ts'
import { restoreInput } from './scheduled-input.ts'

const printableName = /^[^\p{Cc}\p{Cs}]{1,100}$/u
const longestInput = 256 * 1024

/** Throws invalid_request for what no door may pass on. */
export function assertScheduleFields({ name, overlap, retries }: ScheduleChange): void {
  if (name !== undefined && !printableName.test(name)) {
    throw unfit('/name', 'must be a text of 1 to 100 printable characters')
  }
  if (overlap !== undefined && !overlaps.includes(overlap)) {
    throw unfit('/overlap', `must be ${overlaps.join(' or ')}`)
  }
  const isCount = Number.isSafeInteger(retries) && Number(retries) >= 0
  if (retries !== undefined && (!isCount || retries > mostRetries)) {
    throw unfit('/retries', `must be a whole number from 0 to ${mostRetries}`)
  }
}

/** What is needed to look at the tool of a schedule. */
export interface WorkChecks {
  registry: Registry
  scopes: ScopeSource
  ports: Pick<PipelinePorts, 'refusals' | 'uploads'>
}

/** And what else is needed to change one. */
interface ChangeChecks extends WorkChecks {
  caller: Caller
  inputs: InputSeal
  now: number
}

/** What a schedule does, and for whom. */
export interface CheckedWork {
  tool: string
  input: JsonValue
  authority: Authority
}

/**
 * Checks that this caller sees the tool and that the input fits it. Unknown and invisible tools get
 * the one answer. A tool that lacks a secret may be scheduled by people, who can mend it.
 */
export async function checkWork(
  { tool: name, input: given, agent }: { tool: string; input?: unknown; agent?: string },
  caller: Caller,
  { registry, scopes, ports }: WorkChecks,
): Promise<CheckedWork> {
  const as = asAgent(caller, { agent })
  const scope = await scopes.scopeFor(as)
  const entry = registry.find(name, scope.tenant)
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
    throw new ToolError('invalid_input', `The input does not fit ${entry.tool.contract.name}`, {
      issues: parsed.issues,
    })
  }
  const { principal, permissions, runtime, parents, skill } = as
  const chain = { ...(parents && { parents }), ...(skill !== undefined && { skill }) }
  const authority = { principal, permissions, runtime, ...chain }
  return { tool: entry.tool.contract.name, input, authority }
}

/**
 * Whoever says what a schedule does is who it runs for from then on: somebody with fewer permissions
 * must not put words into the mouth of somebody with more.
 */
export async function checkChange(
  seen: StoredSchedule,
  { when, tool, input, ...change }: ScheduleChange,
  by: ChangeChecks,
): Promise<CheckedChange> {
  const timing = when === undefined ? {} : { timing: parseWhen(when, by.now) }
  if (tool === undefined && input === undefined) return { ...change, ...timing }
  requirePermission(by.caller, 'tools.call')
  const isSameTool = tool === undefined || tool === seen.tool
  const wanted = {
    tool: tool ?? seen.tool,
    // Secrets stay with the tool they were entered for.
    input: isSameTool ? restoreInput(seen, input, by) : (input ?? seen.input),
    agent: seen.agent,
  }
  return { ...change, ...timing, ...(await checkWork(wanted, by.caller, by)) }
}

function assertStorable(input: JsonValue): void {
  if (JSON.stringify(input).length <= longestInput) return
  throw unfit('/input', `is over ${longestInput} characters`)
}

function unfit(path: string, message: string): ToolError {
  return new ToolError('invalid_request', `${path.slice(1)} ${message}`, {
    issues: [{ path, message }],
  })
}
