import type { CallContext, Principal } from '../../core/call.ts'
import { isToolError, ToolError } from '../../core/errors.ts'
import type { EraVerdict } from '../../core/gateway/gateway-store.ts'
import { createRedactor } from '../../core/secrets/redact.ts'
import { answerServer, type CallFrame } from '../calls/call-frame.ts'
import type { JsonRecord } from '../wire/messages.ts'
import { createSlot, type Opened, type Slot, type Use } from './create-slot.ts'
import { resolveValues } from './given-values.ts'
import { openUpstream, type Upstream } from './open-upstream.ts'
import type { ServerFacts } from './server-facts.ts'

/** Whose connection it is: everybody's of the tenant, or one person's where people sign in for themselves. */
export interface Subject {
  name: string
  principal?: Principal
}

export interface ConnectionEvents {
  verdict(): EraVerdict | undefined
  onOpen(opened: Opened, subject: Subject): void
  /** It ended by itself. */
  onLost(reason: string, subject: Subject, openMs: number): void
  onNotification(method: string, params: JsonRecord, subject: Subject): void
  onIdle(subject: Subject): void
}

export interface Connections {
  /** For the tenant as a whole, or for one principal. */
  use(principal?: Principal): Promise<Use>
  /** For a call. One whose tool asks its caller gets a connection on which nobody else may ask. */
  lease(frame: CallFrame, context: CallContext): Promise<Use>
  count(): number
  /** Of everything, or of one principal. */
  close(principal?: Principal, reason?: string): Promise<void>
  errorOutput(): string
}

/** Of one server: a process that asks needs a connection for every call that runs, up to so many. */
const lanesAtMost = 8
/** People who are connected at once; others wait for nobody, the longest unused one is ended. */
const subjectsAtMost = 200

const inherited = [
  'PATH',
  'HOME',
  'LANG',
  'LC_ALL',
  'TMPDIR',
  'TZ',
  'USER',
  'LOGNAME',
  'SHELL',
  'TERM',
]

export function createConnections(facts: ServerFacts, events: ConnectionEvents): Connections {
  const { spec, ports, key } = facts
  const subjects = new Map<string, { subject: Subject; slots: Slot[] }>()
  const asking = new Set<string>()
  let lastErrors = ''

  async function open(subject: Subject): Promise<Opened> {
    const values = await resolveValues(key.tenant, spec, ports)
    const auth =
      spec.oauth === undefined ? undefined : await ports.authFor?.({ ...key, spec, ...subject })
    const redactor = createRedactor(values.sensitive)
    const openedAt = ports.now()
    const talk: { upstream?: Upstream } = {}
    const upstream = await openUpstream({
      spec,
      auth,
      env: { ...ports.readEnv(inherited), ...values.env },
      headers: values.headers,
      dispatcher: facts.dispatcher,
      known: events.verdict(),
      now: ports.now,
      listeners: {
        onNotification: (method, params) => events.onNotification(method, params, subject),
        onRequest: (method, params) =>
          answerServer({ method, params }, framesOf(talk.upstream), asking),
        onClose(reason) {
          lastErrors = redactor.redactText(talk.upstream?.errorOutput() ?? '')
          events.onLost(redactor.redactText(reason), subject, ports.now() - openedAt)
        },
      },
    }).catch((error: unknown) => Promise.reject(clean(error, redactor.redactText)))
    talk.upstream = upstream
    const opened = { upstream, redactor }
    events.onOpen(opened, subject)
    return opened
  }
  function subjectOf(principal: Principal | undefined): Subject {
    if (spec.oauth?.perUser !== true || principal === undefined) return { name: '' }
    return { name: `${principal.kind}:${principal.id}`, principal }
  }
  function slotsOf(principal: Principal | undefined): Slot[] {
    const subject = subjectOf(principal)
    const known = subjects.get(subject.name)
    subjects.delete(subject.name)
    const entry = known ?? { subject, slots: [newSlot(subject)] }
    subjects.set(subject.name, entry)
    if (subjects.size > subjectsAtMost) endOldest()
    return entry.slots
  }
  function newSlot(subject: Subject): Slot {
    const { idleMs } = spec
    return createSlot({ idleMs, open: () => open(subject), onIdle: () => events.onIdle(subject) })
  }
  function endOldest(): void {
    for (const [name, { slots }] of subjects) {
      if (slots.some(({ uses }) => uses > 0)) continue
      subjects.delete(name)
      return slots.forEach((slot) => void slot.close())
    }
  }
  const primary = (principal: Principal | undefined) => {
    const [first] = slotsOf(principal)
    if (first === undefined) throw new ToolError('internal', 'A server without a slot')
    return first
  }
  /** One on which no other tool that asks is running. */
  function quietSlot(principal: Principal | undefined): Slot {
    const slots = slotsOf(principal)
    const isQuiet = ({ opened }: Slot) =>
      !framesOf(opened?.upstream).some(({ tool }) => asking.has(tool))
    const free = slots.find(isQuiet)
    if (free !== undefined) return free
    if (slots.length >= lanesAtMost) {
      throw new ToolError(
        'upstream_failed',
        `${lanesAtMost} calls of ${key.server} wait for answers`,
      )
    }
    const lane = newSlot(subjectOf(principal))
    slots.push(lane)
    return lane
  }
  return {
    use: async (principal) => primary(principal).use(),
    async lease(frame, { principal }) {
      const mayAsk = frame.client !== undefined && asking.has(frame.tool)
      return (mayAsk ? quietSlot(principal) : primary(principal)).use()
    },
    count: () =>
      [...subjects.values()].flatMap(({ slots }) => slots).filter(({ isOpen }) => isOpen).length,
    async close(principal, reason) {
      const { name } = subjectOf(principal)
      const ended = [...subjects.values()].filter(
        ({ subject }) => principal === undefined || subject.name === name,
      )
      for (const { subject } of ended) subjects.delete(subject.name)
      await Promise.all(ended.flatMap(({ slots }) => slots.map((slot) => slot.close(reason))))
    },
    errorOutput() {
      const open = subjects.get('')?.slots[0]?.opened
      return open === undefined ? lastErrors : open.redactor.redactText(open.upstream.errorOutput())
    },
  }
}

function framesOf(upstream: Upstream | undefined): CallFrame[] {
  return (upstream?.peer.frames() ?? []) as CallFrame[]
}

function clean(error: unknown, redact: (text: string) => string): unknown {
  if (!isToolError(error)) return error
  const { code, retryable, fix, details } = error
  return new ToolError(code, redact(error.message), { retryable, details, ...(fix && { fix }) })
}
