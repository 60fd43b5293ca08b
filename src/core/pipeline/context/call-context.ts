import type { CallConversation } from '../../conversations/call-conversation.ts'
import type { CallContext, Completion } from '../../call.ts'
import type { StoredCall } from '../../call-log.ts'
import { holdWhileAsked } from '../../client/held-client.ts'
import { createCallFiles } from '../../uploads/call-files.ts'
import type { JsonValue } from '../../tool.ts'
import type { CallControl } from '../run/call-control.ts'
import { addUsage } from '../../conversations/add-usage.ts'
import { noUsage } from '../../conversations/conversation.ts'
import { reportCost, type Spending } from '../record/call-cost.ts'
import { callNested } from './call-nested.ts'
import type { Admission } from '../admit.ts'
import type { NestedCalls } from './nested-calls.ts'
import { noSecrets, type OpenSecrets } from './open-secrets.ts'
import type { OutputFeed } from '../output/output-feed.ts'
import type { PipelinePorts } from '../ports.ts'
import { type CallableTool, nameOfTool } from '../../typing/callable-tool.ts'

/** What a call and its tool share while it runs. */
export interface CallParts {
  control: CallControl
  nested: NestedCalls
  /** Audit fields the tool has logged. */
  log: Record<string, JsonValue>
  /** What the tool has reported as its cost. */
  spending: Spending
  /** Set by the run; progress before and after it goes nowhere. */
  feed: { current: OutputFeed | undefined }
  /** What the tool has asked for of the conversation that it is called in. */
  talk: { current: CallConversation | undefined }
}

/** How a call will run. */
export interface RunPlan {
  /** The caller gets its answer before the tool is done. */
  runsAfterAnswer: boolean
  /** The calls that earlier runs of this call have made, if it is resumed. */
  earlier?: readonly StoredCall[]
  /** Of a call that ends from outside. */
  completion?: Completion | undefined
}

interface ContextParts extends Pick<CallContext, 'client'> {
  call: CallParts
  from: Pick<Admission, 'facts' | 'filled' | 'request'>
  plan: RunPlan
  opened: OpenSecrets
  options: CallContext['options']
  ports: PipelinePorts
}

/** What a tool is given beside its input. */
export function createContext(given: Omit<ContextParts, 'client'>): CallContext {
  const parts = { ...given, client: toClient(given) }
  return new Proxy(new OpenContext(parts), whole) as OpenContext & Pick<CallContext, LazyName>
}

type LazyName =
  | 'log'
  | 'cost'
  | 'progress'
  | 'call'
  | 'signal'
  | 'tools'
  | 'files'
  | 'skills'
  | 'agents'
  | 'state'
  | 'attachments'
  | 'model'

/** Made when they are asked for: few tools ask for more than one of them, and every call makes a context. */
const lazy: { [Name in LazyName]: (parts: ContextParts) => CallContext[Name] } = {
  log:
    ({ call }) =>
    (fields) =>
      void Object.assign(call.log, fields),
  cost:
    ({ call }) =>
    (units) =>
      reportCost(call.spending, units),
  progress:
    ({ call }) =>
    (progress) =>
      call.feed.current?.progress(progress),
  call: (parts) => callerOf(parts),
  signal: ({ call }) => call.control.signal,
  tools: ({ from, ports }) => ports.finderFor(from.facts.caller),
  files({ from, ports }) {
    const { uploads } = from.filled
    return createCallFiles({ tenant: from.facts.caller.tenant, uploads, store: ports.uploads })
  },
  skills: ({ from, ports }) => ports.skillsFor(from.facts.caller),
  agents: (parts) => conversationOf(parts)?.agents,
  state: (parts) => conversationOf(parts)?.state,
  attachments: (parts) => conversationOf(parts)?.attachments,
  model: (parts) => conversationOf(parts)?.model,
}

/**
 * What is made when it is asked for is the prototype's. In each object by itself it took as long as
 * all the rest of its making, and a hidden class of its own, which the engine keeps together with all
 * that the call has touched until it next looks through the whole memory.
 */
class OpenContext implements Omit<CallContext, LazyName> {
  static {
    for (const [name, read] of Object.entries(lazy)) {
      const get = function get(this: OpenContext) {
        return read(this.#parts)
      }
      Object.defineProperty(this.prototype, name, { get, configurable: true })
    }
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
    this.client = parts.client
  }
}

const lazyNames: ReadonlySet<string | symbol> = new Set(Object.keys(lazy))

/** Shows all of it as its own, so that a copy has what the prototype makes, too. */
const whole: ProxyHandler<OpenContext> = {
  get: (context, name): unknown => Reflect.get(context, name),
  ownKeys: (context) => [...new Set([...Reflect.ownKeys(context), ...lazyNames])],
  getOwnPropertyDescriptor(context, name) {
    const own = Reflect.getOwnPropertyDescriptor(context, name)
    if (own !== undefined || !lazyNames.has(name)) return own
    return { get: () => Reflect.get(context, name), enumerable: true, configurable: true }
  },
}

/** The types are those of the tool that is called; its output was checked by its schema. */
function callerOf({ call, from, opened, client, ports }: ContextParts): CallContext['call'] {
  const { control, nested } = call
  const nesting = { ...from, control, nested, ...opened, client, ports }
  const callAnother = (tool: CallableTool | string, input: unknown = {}) =>
    callNested(nameOfTool(tool), input, nesting)
  return callAnother as CallContext['call']
}

/** Whoever has its answer already can't be asked. */
function toClient({
  call,
  from,
  plan,
  opened,
}: Omit<ContextParts, 'client'>): CallContext['client'] {
  const { client } = from.request
  if (client === undefined || plan.runsAfterAnswer) return undefined
  return holdWhileAsked(client, { control: call.control, secrets: opened })
}

/** Made when it is first asked for, and written out when the call has done well. */
function conversationOf({ call, from, plan, ports }: ContextParts): CallConversation | undefined {
  const { facts } = from
  call.talk.current ??= ports.conversationFor?.({
    caller: facts.caller,
    callId: facts.callId,
    completion: plan.completion,
    signal: () => call.control.signal,
    cost(units, isCounted) {
      reportCost(call.spending, units)
      if (isCounted) call.spending.counted += units
    },
    used(usage) {
      call.spending.usage = addUsage(call.spending.usage ?? noUsage, usage)
    },
  })
  return call.talk.current
}
