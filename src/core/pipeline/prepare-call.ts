import type { CallContext } from '../call.ts'
import { ToolError } from '../errors.ts'
import type { RegisteredTool } from '../registry.ts'
import { checkSecrets, pickSecrets, pickSensitive, secretMissing } from '../secrets/requirements.ts'
import { createRedactor, emptyRedactor, type Redactor } from '../secrets/redact.ts'
import type { JsonValue, ToolBehaviour } from '../tool.ts'
import { type CallControl, createCallControl } from './call-control.ts'
import type { CallFacts } from './call-facts.ts'
import type { CallTool, ChainedRequest } from './chained-request.ts'
import type { OutputFeed } from './output-feed.ts'
import type { PipelinePorts } from './ports.ts'

/** A call that may run: everything it needs is here, nothing has happened yet. */
export interface PreparedCall {
  facts: CallFacts
  behaviour: ToolBehaviour
  /** As the tool gets it: parsed, with the author's own transforms applied. */
  input: unknown
  context: CallContext
  control: CallControl
  redactor: Redactor
  /** Audit fields the tool has logged. */
  log: Record<string, JsonValue>
  /** Set by the run; progress before and after it goes nowhere. */
  feed: { current: OutputFeed | undefined }
  onOutput: ChainedRequest['onOutput']
}

interface Preparation {
  facts: CallFacts
  entry: RegisteredTool
  input: unknown
  request: ChainedRequest
  callTool: CallTool
}

/** Reads the secrets, builds the context, and, where the schema depends on the caller, parses by it. */
export async function prepareCall(from: Preparation, ports: PipelinePorts): Promise<PreparedCall> {
  const { contract } = from.facts
  const secrets = contract.secrets.length === 0 ? noSecrets : await readSecrets(from.facts, ports)
  const redactor =
    secrets === noSecrets ? emptyRedactor : createRedactor(pickSensitive(contract.secrets, secrets))
  // An async caller gets its answer before the tool is done, so its leaving must not end the call.
  const runsOn = from.request.respondAsync === true || contract.execution !== 'inline'
  const control = createCallControl(from.facts.timeoutMs, runsOn ? undefined : from.request.signal)
  const call = { facts: from.facts, control, redactor, log: {}, feed: { current: undefined } }
  const context = createContext({ ...call, ...from, secrets }, ports)
  try {
    const behaviour = await from.entry.tool.behaviour(context)
    const input = from.entry.tool.isDynamic ? parseBy(behaviour, from) : from.input
    const facts = redactor.isEmpty
      ? from.facts
      : { ...from.facts, input: redactor.redactValue(from.facts.input) }
    return { ...call, facts, behaviour, input, context, onOutput: from.request.onOutput }
  } catch (error) {
    control.release()
    throw error
  }
}

const noSecrets: Readonly<Record<string, string>> = Object.freeze({})

async function readSecrets(
  facts: CallFacts,
  ports: PipelinePorts,
): Promise<Record<string, string>> {
  const { contract, caller } = facts
  const names = contract.secrets.map((secret) => secret.key)
  const values = await ports.secrets.read({ tenant: caller.tenant, agent: caller.agent }, names)
  const { missing } = checkSecrets(contract.secrets, values)
  if (missing.length > 0) throw secretMissing(contract.name, missing)
  return pickSecrets(contract.secrets, values)
}

function parseBy(behaviour: ToolBehaviour, from: Preparation): unknown {
  const parsed = behaviour.parseInput(from.request.input ?? {})
  if (parsed.ok) return parsed.value
  throw new ToolError('invalid_input', `The input does not fit ${from.facts.contract.name}`, {
    issues: parsed.issues,
  })
}

type ContextParts = Pick<PreparedCall, 'facts' | 'control' | 'log' | 'feed'> & {
  secrets: Readonly<Record<string, string>>
  request: ChainedRequest
  callTool: CallTool
}

function createContext(parts: ContextParts, ports: PipelinePorts): CallContext {
  const { facts, control, feed } = parts
  const { caller, contract } = facts
  return {
    tenant: caller.tenant,
    agent: caller.agent,
    principal: caller.principal,
    sessionId: caller.sessionId,
    runtime: caller.runtime,
    callId: facts.callId,
    secrets: parts.secrets,
    env: contract.env.length === 0 ? noSecrets : ports.readEnv(contract.env),
    get signal() {
      return control.signal
    },
    log(fields) {
      Object.assign(parts.log, fields)
    },
    progress(progress) {
      feed.current?.progress(progress)
    },
    call: (name, input) => callNested(name, input, { ...parts, ports }),
  }
}

type Nesting = Pick<ContextParts, 'facts' | 'control' | 'request' | 'callTool'> & {
  ports: PipelinePorts
}

/** Same caller, same policy, own record; ends with its parent and never outlives its deadline. */
async function callNested(name: string, input: unknown, from: Nesting): Promise<JsonValue> {
  const { facts } = from
  const result = await from.callTool(
    {
      tool: name,
      input,
      caller: facts.caller,
      parentId: facts.callId,
      depth: (from.request.depth ?? 0) + 1,
      signal: from.control.signal,
      timeoutMs: facts.timeoutMs - (Date.now() - facts.requestedAt),
    },
    from.ports,
  )
  if (result.status === 'completed') return result.output ?? null
  const error = result.error
  throw new ToolError(error?.code ?? 'tool_failed', `${name}: ${error?.message ?? result.status}`, {
    retryable: error?.retryable,
    issues: error?.issues,
    fix: error?.fix,
  })
}
