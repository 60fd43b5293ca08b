import type { CallContext } from '../../kernel/call.ts'
import { ToolError } from '../../kernel/errors.ts'
import type { StoredCall } from '../../call-log.ts'
import type { RegisteredTool } from '../../registry.ts'
import type { Redactor } from '../../secrets/redact.ts'
import type { ToolBehaviour } from '../../kernel/tool.ts'
import { CallControl } from '../run/call-control.ts'
import { type CallParts, createContext, createSteps, type RunPlan } from './call-context.ts'
import { presentError, toCallError } from '../record/call-error.ts'
import type { CallFacts } from '../record/call-facts.ts'
import type { Admission } from '../admit.ts'
import type { ChainedRequest } from '../chained-request.ts'
import { NestedCalls } from './nested-calls.ts'
import type { StepLedger } from './step-ledger.ts'
import { hideFurther, openSecrets, type OpenSecrets } from './open-secrets.ts'
import type { PipelinePorts } from '../ports.ts'
import { readKept } from '../rerun/read-kept.ts'
import { toUndoBehaviour } from '../undo/run-undo.ts'

/** A call that is ready to run: it has everything it needs, and nothing has happened yet. */
export interface PreparedCall extends CallParts {
  facts: CallFacts
  behaviour: ToolBehaviour
  /** The tool's input: parsed, with the author's own transforms applied. */
  input: unknown
  context: CallContext
  redactor: Redactor
  onOutput: ChainedRequest['onOutput']
  /** For a resumable tool. */
  steps: StepLedger | undefined
}

/** Reads the secrets, builds the context, and parses again if the schema depends on the caller. */
export async function prepareCall(
  from: Admission,
  plan: RunPlan,
  ports: PipelinePorts,
): Promise<PreparedCall> {
  const { facts, entry } = from
  if (facts.rerun === undefined) return prepare(from, plan, ports)
  const kept = await readKept({ facts, steps: entry.tool.steps ?? [] }, ports)
  return prepare(from, { ...plan, kept }, ports)
}

async function prepare(
  from: Admission,
  plan: RunPlan,
  ports: PipelinePorts,
): Promise<PreparedCall> {
  const { contract } = from.facts
  const opening = openSecrets(from, plan.completion, ports)
  const shared = opening instanceof Promise ? await opening : opening
  // A schema built by `create` may name further secret fields.
  const opened = from.entry.tool.isDynamic ? { ...shared } : shared
  // A caller who was already answered may disconnect without ending the call.
  const outer = plan.runsAfterAnswer ? undefined : from.request.signal
  const control = createControl(from.facts, outer, ports)
  const call: CallParts = {
    control,
    nested: new NestedCalls(control, plan.earlier ?? noCalls),
    log: {},
    spending: { units: 0, counted: 0 },
    feed: { current: undefined },
    conversation: { current: undefined },
  }
  try {
    const parts = {
      call,
      from,
      plan,
      opened,
      options: readOptions(from),
      ports,
    }
    const context = createContext(parts)
    const steps = from.facts.isResumable && createSteps(parts, context.client)
    const made = from.entry.tool.behaviour(context)
    const behaviour = made instanceof Promise ? await control.race(made) : made
    const { inputSchema } = behaviour
    if (inputSchema !== undefined) hideFurther(opened, from.facts, { inputSchema, ports })
    const input = from.entry.tool.isDynamic ? parseBy(behaviour, from) : from.input
    const facts = redactFacts(from.facts, opened)
    const { onOutput } = from.request
    if (from.original !== undefined) {
      const nesting = { ...from, control, nested: call.nested, ...opened, client: context.client }
      const undoing = { original: from.original, nesting: { ...nesting, facts, ports } }
      const undo = toUndoBehaviour(behaviour, from.entry.tool.undo, undoing)
      return {
        ...call,
        facts,
        behaviour: undo,
        input,
        context,
        redactor: opened.redactor,
        onOutput,
        steps: undefined,
      }
    }
    const { redactor } = opened
    return { ...call, facts, behaviour, input, context, redactor, onOutput, steps }
  } catch (error) {
    control.release()
    const { code, message, ...more } = presentError(toCallError(error), opened.redactor)
    throw new ToolError(code, `${contract.name}: ${message}`, more)
  }
}

function createControl(
  { timeoutMs, deadlineAt }: CallFacts,
  outer: AbortSignal | undefined,
  { now }: Pick<PipelinePorts, 'now'>,
): CallControl {
  const control = new CallControl(timeoutMs, outer)
  if (deadlineAt !== undefined) control.endWithin(deadlineAt - now())
  return control
}

/**
 * The facts to record for a call that waits or is denied before it is prepared. Throws when the
 * secrets can't be read, because an input that can't be redacted must not be stored or shown.
 */
export async function redactForRecord(
  from: Pick<Admission, 'facts' | 'request'>,
  ports: PipelinePorts,
): Promise<CallFacts> {
  return redactFacts(from.facts, await openSecrets(from, undefined, ports))
}

function redactFacts(facts: CallFacts, { recorded }: OpenSecrets): CallFacts {
  return recorded === undefined ? facts : { ...facts, input: recorded, rawInput: facts.input }
}

const noCalls: readonly StoredCall[] = []

function parseBy(behaviour: ToolBehaviour, from: Admission): unknown {
  const parsed = behaviour.parseInput(from.filled.input ?? {})
  if (parsed.ok) return parsed.value
  throw new ToolError(
    'invalid_input',
    `The input does not match the schema of ${from.facts.contract.name}`,
    {
      issues: parsed.issues,
    },
  )
}

const noOptions: CallContext['options'] = Object.freeze({})

/**
 * The options set for this agent. Throws when they no longer match the tool's schema: no call is
 * better than one with other options.
 */
export function readOptions({
  facts,
  entry,
}: {
  facts: Pick<CallFacts, 'contract' | 'caller' | 'settings'>
  entry: RegisteredTool
}): CallContext['options'] {
  const { contract, caller, settings } = facts
  if (contract.optionsSchema === undefined && settings.options === undefined) return noOptions
  const parsed = entry.tool.parseOptions(settings.options ?? {})
  if (parsed.ok) return parsed.value as CallContext['options']
  throw new ToolError(
    'invalid_policy',
    `The options that agent ${caller.agent} has for ${contract.name} do not match its schema`,
    { issues: parsed.issues, fix: `Change them in the settings of agent ${caller.agent}.` },
  )
}
