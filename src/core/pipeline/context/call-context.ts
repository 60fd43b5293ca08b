import type { CallContext, CallCapabilities, Completion } from '../../kernel/call.ts'
import type { CapabilityCall, CapabilityMap } from '../capabilities/capability.ts'
import { holdWhileAsked } from './held-client.ts'
import { addUsage } from '../../conversations/add-usage.ts'
import type { CallConversation } from '../../kernel/context/call-conversation.ts'
import { noUsage } from '../../conversations/conversation.ts'
import type { JsonValue } from '../../kernel/tool.ts'
import { type CallableTool, nameOfTool } from '../../kernel/callable-tool.ts'
import type { Admission } from '../admit.ts'
import type { OutputFeed } from '../output/output-feed.ts'
import type { PipelinePorts } from '../ports.ts'
import { shieldCapability } from '../shielded/shielded-capabilities.ts'
import { reportCost, type Spending } from '../record/call-cost.ts'
import type { CallControl } from '../run/call-control.ts'
import { callNested, type Nesting } from './call-nested.ts'
import type { NestedCalls } from './nested-calls.ts'
import { noSecrets, type OpenSecrets } from './open-secrets.ts'
import { StepLedger, type StepsSoFar } from './step-ledger.ts'

/** State that a running call shares with its tool. */
export interface CallParts {
  control: CallControl
  nested: NestedCalls
  /** Audit fields the tool has logged. */
  log: Record<string, JsonValue>
  /** The cost that the tool has reported. */
  spending: Spending
  /** Set by the run; progress before and after it is dropped. */
  feed: { current: OutputFeed | undefined }
  /** Set when the tool uses its conversation. */
  conversation: { current: CallConversation | undefined }
}

/** How a call will run. */
export interface RunPlan extends StepsSoFar {
  /** The caller gets its answer before the tool finishes. */
  runsAfterAnswer: boolean
  /** For a call that is completed from outside. */
  completion?: Completion | undefined
}

interface ContextParts {
  call: CallParts
  from: Pick<Admission, 'facts' | 'filled' | 'request'>
  plan: RunPlan
  opened: OpenSecrets
  options: CallContext['options']
  ports: PipelinePorts
}

/** For a resumable tool: the calls that it makes as steps. */
export function createSteps(parts: ContextParts, client: CallContext['client']): StepLedger {
  return new StepLedger(toNesting(parts, client), parts.plan)
}

/** Creates the context that a tool receives beside its input. */
export function createContext(parts: ContextParts): CallContext {
  const { shield } = parts.from.request
  const classes = shield === undefined ? plainClasses : shieldedClasses
  return new (contextClassFor(parts.ports.capabilities, classes))(parts)
}

/**
 * The members that need no capability. Lazy members are getters of the prototype: as own properties
 * they took as long to create as everything else together, and gave each context a hidden class
 * that the engine kept alive, with everything the call had touched, until the next full garbage
 * collection.
 */
class PlainContext implements Omit<CallContext, keyof CallCapabilities> {
  /** The parts that a context was created from. */
  static partsOf(context: PlainContext): ContextParts {
    return context.#parts
  }
  readonly #parts: ContextParts
  readonly tenant: CallContext['tenant']
  readonly agent: CallContext['agent']
  readonly principal: CallContext['principal']
  readonly sessionId: CallContext['sessionId']
  readonly runtime: CallContext['runtime']
  readonly callId: CallContext['callId']
  readonly secrets: CallContext['secrets']
  readonly env: CallContext['env']
  readonly options: CallContext['options']
  readonly completion: CallContext['completion']
  readonly client: CallContext['client']

  constructor(parts: ContextParts) {
    const { from, plan, opened, ports } = parts
    const { caller, contract, callId } = from.facts
    this.#parts = parts
    this.tenant = caller.tenant
    this.agent = caller.agent
    this.principal = caller.principal
    this.sessionId = caller.sessionId
    this.runtime = caller.runtime
    this.callId = callId
    this.secrets = opened.secrets
    this.env = contract.env.length === 0 ? noSecrets : ports.readEnv(contract.env)
    this.options = parts.options
    this.completion = plan.completion
    this.client = toClient(parts)
  }

  get signal(): CallContext['signal'] {
    return this.#parts.call.control.signal
  }

  get log(): CallContext['log'] {
    const { call } = this.#parts
    return (fields) => void Object.assign(call.log, fields)
  }

  get cost(): CallContext['cost'] {
    const { call } = this.#parts
    return (units) => reportCost(call.spending, units)
  }

  get progress(): CallContext['progress'] {
    const { call } = this.#parts
    return (progress) => call.feed.current?.progress(progress)
  }

  get call(): CallContext['call'] {
    return nestedCallOf(this.#parts, this.client)
  }
}

type ContextClass = new (parts: ContextParts) => CallContext

type ClassBook = WeakMap<CapabilityMap, ContextClass>

const plainClasses: ClassBook = new WeakMap()
const shieldedClasses: ClassBook = new WeakMap()

/** The class of contexts with these capabilities: one per map, so one per process. */
function contextClassFor(capabilities: CapabilityMap, classes: ClassBook): ContextClass {
  const isShielded = classes === shieldedClasses
  const known = classes.get(capabilities)
  if (known !== undefined) return known
  const made = class Context extends PlainContext {}
  for (const [name, make] of Object.entries(capabilities)) {
    const get = isShielded ? toShieldedGetter(name as keyof CallCapabilities, make) : toGetter(make)
    Object.defineProperty(made.prototype, name, { get, configurable: true })
  }
  classes.set(capabilities, made as unknown as ContextClass)
  return made as unknown as ContextClass
}

type MakeAny = (call: CapabilityCall) => unknown

function toGetter(make: MakeAny) {
  return function get(this: PlainContext) {
    return make(toCapabilityCall(PlainContext.partsOf(this)))
  }
}

function toShieldedGetter(name: keyof CallCapabilities, make: MakeAny) {
  return function get(this: PlainContext) {
    const parts = PlainContext.partsOf(this)
    const purpose = parts.from.request.shield?.purpose ?? 'preview'
    return shieldCapability(name, make(toCapabilityCall(parts)) as never, purpose)
  }
}

function toCapabilityCall({ call, from, plan }: ContextParts): CapabilityCall {
  const { caller, callId, contract } = from.facts
  return {
    caller,
    callId,
    contract,
    uploads: from.filled.uploads,
    completion: plan.completion,
    isShielded: from.request.shield !== undefined,
    conversation: call.conversation,
    signal: () => call.control.signal,
    cost(units, isCounted) {
      reportCost(call.spending, units)
      if (isCounted) call.spending.counted += units
    },
    used(usage) {
      call.spending.usage = addUsage(call.spending.usage ?? noUsage, usage)
    },
  }
}

/** The types are those of the called tool, whose schema has validated its output. */
function nestedCallOf(parts: ContextParts, client: CallContext['client']): CallContext['call'] {
  const nesting = toNesting(parts, client)
  const callAnother = (tool: CallableTool | string, input: unknown = {}) =>
    callNested(nameOfTool(tool), input, nesting)
  return callAnother as CallContext['call']
}

function toNesting(
  { call: { control, nested }, from, opened, ports }: ContextParts,
  client: CallContext['client'],
): Nesting {
  return { ...from, control, nested, ...opened, client, ports }
}

/** A caller who already has an answer can't be asked questions. */
function toClient({ call, from, plan, opened }: ContextParts): CallContext['client'] {
  const { client } = from.request
  if (client === undefined || plan.runsAfterAnswer) return undefined
  if (from.request.shield !== undefined) return undefined
  return holdWhileAsked(client, { control: call.control, secrets: opened })
}
