import type { CallContext, Principal } from '../../core/kernel/call.ts'
import { isToolError, ToolError } from '../../core/kernel/errors.ts'
import type { EraVerdict } from '../../core/gateway/gateway-store.ts'
import type { Redactor } from '../../core/secrets/redact.ts'
import { toRedactor } from './connection-redactor.ts'
import { answerServer, type CallFrame, isAble } from '../calls/call-frame.ts'
import type { PeerListeners } from '../wire/peer.ts'
import type { JsonRecord } from '../wire/messages.ts'
import { createAskingTools, type KnownAskingTools, type LearnedTools } from './asking-tools.ts'
import { createSlot, type Slot, type Use } from './create-slot.ts'
import { resolveValues } from './given-values.ts'
import { createConnectionPool, type ConnectionPool } from './connection-pool.ts'
import type { Opened } from './opened.ts'
import type { Upstream } from '../upstream/open-upstream.ts'
import type { ServerFacts } from '../upstream/server-facts.ts'
import { createTurns } from './turns.ts'

/**
 * The owner of a connection: the whole tenant, or one person where people sign in for themselves.
 */
export interface Subject {
  name: string
  principal?: Principal
  /** Separate from the one that calls share: its failures prove nothing about the server. */
  isSide?: boolean
}

/** The connection that everybody shares, by which the server is judged. */
export function isMain({ name, isSide }: Subject): boolean {
  return name === '' && isSide !== true
}

/** How a connection was lost. */
export interface Loss {
  reason: string
  /** How long it was open. */
  openMs: number
  /** The server is well, and does not know the session any more. */
  isForgotten: boolean
}

export interface ConnectionEvents {
  /** Tools that are known to ask their callers. */
  readonly asking: LearnedTools
  verdict(): EraVerdict | undefined
  onOpen(opened: Opened, subject: Subject): void
  /** It ended by itself. */
  onLost(loss: Loss, subject: Subject): void
  /** Nobody takes requests on the other side; the next use opens it again. */
  onUnreachable(subject: Subject): void
  onNotification(method: string, params: JsonRecord): void
  onIdle(subject: Subject): void
}

export interface Connections {
  /** For the tenant as a whole, or for one principal. */
  use(principal?: Principal): Promise<Use>
  /** For a call. One whose tool asks its caller gets a connection on which no other call runs. */
  lease(frame: CallFrame, context: CallContext): Promise<Use>
  count(): number
  /** Of everything, or of one principal. */
  close(principal?: Principal, reason?: string): Promise<void>
  errorOutput(): string
  /** An open connection is not used again, and is closed as soon as nobody uses it. */
  retire(): void
  /**
   * True if the values it was opened with have changed, or missing ones exist now: the next use
   * opens it again.
   */
  renew(): Promise<boolean>
}

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
  return new SlotConnections(facts, events)
}

class SlotConnections implements Connections {
  readonly #facts: ServerFacts
  readonly #events: ConnectionEvents
  readonly #subjects = new Map<string, { subject: Subject; pool: ConnectionPool }>()
  readonly #asking: KnownAskingTools
  /** For a connection of their own. */
  readonly #turns = createTurns()
  #lastErrors = ''
  /** A value that is named is not there. */
  #isWanting = false
  /** The values that open connections were given. */
  #given: string | undefined
  /** The end of all that was here before. */
  #predecessors: Promise<unknown> | undefined

  constructor(facts: ServerFacts, events: ConnectionEvents) {
    this.#facts = facts
    this.#events = events
    this.#predecessors = facts.predecessor
    this.#asking = createAskingTools(events.asking)
  }

  use(principal?: Principal): Promise<Use> {
    return this.#poolOf(principal).slots[0].use()
  }

  async lease(frame: CallFrame, { principal, signal }: CallContext): Promise<Use> {
    const mayAsk = isAble(frame) && this.#asking.has(frame.tool)
    if (!mayAsk) return this.#poolOf(principal).shared().use()
    const { pool, slot } = await this.#takeAlone(principal, signal)
    const leave = () => {
      pool.leave(slot)
      this.#turns.next()
    }
    const use = await slot.use().catch((error: unknown) => {
      leave()
      throw error
    })
    const release = () => {
      use.release()
      // One that was given up may have been about to ask.
      if (frame.hasAsked !== true && !signal.aborted) this.#asking.clear(frame.tool)
      leave()
    }
    return { ...use, release }
  }

  /** Waits while others have them all: on a shared one its question would be refused, and others' with it. */
  async #takeAlone(principal: Principal | undefined, signal: AbortSignal) {
    for (;;) {
      const pool = this.#poolOf(principal)
      const slot = pool.takeAlone()
      if (slot !== undefined) return { pool, slot }
      await this.#turns.wait(signal)
    }
  }

  count(): number {
    const slots = [...this.#subjects.values()].flatMap(({ pool }) => pool.slots)
    return slots.filter(({ isOpen }) => isOpen()).length
  }

  async close(principal?: Principal, reason?: string): Promise<void> {
    const { name } = this.#subjectOf(principal)
    const ended = [...this.#subjects.values()].filter(
      ({ subject }) => principal === undefined || subject.name === name,
    )
    for (const { subject } of ended) this.#subjects.delete(subject.name)
    const slots = ended.flatMap(({ pool }) => pool.slots)
    this.#turns.next()
    const gone = Promise.all(slots.map((slot) => slot.close(reason)))
    if (principal === undefined) this.#predecessors = gone
    await gone
  }

  errorOutput(): string {
    const open = this.#subjects.get('')?.pool.slots[0].opened()
    if (open === undefined) return this.#lastErrors
    return toShown(open.upstream.errorOutput(), open.redactor)
  }

  async renew(): Promise<boolean> {
    const { spec, ports, key } = this.#facts
    if (this.#given === undefined && !this.#isWanting) return false
    const values = await resolveValues(key.tenant, spec, ports).catch(() => undefined)
    if (this.#isWanting) return values !== undefined
    if (JSON.stringify(values) === this.#given) return false
    this.retire()
    return true
  }

  retire(): void {
    const old = [...this.#subjects.values()].flatMap(({ pool }) => pool.slots)
    this.#subjects.clear()
    this.#given = undefined
    this.#predecessors = Promise.all(old.map((slot) => slot.retire()))
    this.#turns.next()
  }

  async #open(subject: Subject, signal: AbortSignal): Promise<Opened> {
    const { spec, ports, key } = this.#facts
    await this.#predecessors
    signal.throwIfAborted()
    this.#lastErrors = ''
    this.#isWanting = true
    const values = await resolveValues(key.tenant, spec, ports)
    this.#isWanting = false
    const auth =
      spec.oauth === undefined ? undefined : await ports.authFor?.({ ...key, spec, ...subject })
    this.#given = JSON.stringify(values)
    const redactor = toRedactor(values.sensitive, auth)
    const talk: { upstream?: Upstream } = {}
    // Loaded with the first server: many cribs have none.
    const { openUpstream } = await import('../upstream/open-upstream.ts')
    const opened = await openUpstream({
      spec,
      auth,
      env: { ...ports.readEnv(inherited), ...values.env },
      headers: values.headers,
      dispatcher: () => this.#facts.dispatcher(),
      known: this.#events.verdict(),
      signal,
      now: ports.now,
      listeners: this.#listenTo(talk, { subject, redactor }),
      onErrors: (text) => void (this.#lastErrors = toShown(text, redactor)),
    }).catch((error: unknown) => Promise.reject(clean(error, redactor.redactText) as Error))
    const upstream = { ...opened, about: redactor.redactValue(opened.about) as Upstream['about'] }
    talk.upstream = upstream
    this.#events.onOpen({ upstream, redactor }, subject)
    return { upstream, redactor }
  }

  #listenTo(
    talk: { readonly upstream?: Upstream },
    { subject, redactor }: { subject: Subject; redactor: Redactor },
  ): PeerListeners {
    const { now } = this.#facts.ports
    const openedAt = now()
    return {
      onNotification: (method, params) => this.#events.onNotification(method, params),
      onRequest: (method, params, askers) => answerServer({ method, params }, askers, this.#asking),
      onClose: (reason, ending) => {
        this.#lastErrors = toShown(talk.upstream?.errorOutput() ?? '', redactor)
        const isForgotten = ending?.isForgotten === true
        const openMs = now() - openedAt
        this.#events.onLost({ reason: redactor.redactText(reason), openMs, isForgotten }, subject)
      },
      onUnreachable: () => this.#events.onUnreachable(subject),
    }
  }

  #subjectOf(principal: Principal | undefined): Subject {
    if (this.#facts.spec.oauth?.perUser !== true || principal === undefined) return { name: '' }
    return { name: `${principal.kind}:${principal.id}`, principal }
  }

  #poolOf(principal: Principal | undefined): ConnectionPool {
    const subject = this.#subjectOf(principal)
    const entry = this.#subjects.get(subject.name) ?? {
      subject,
      pool: createConnectionPool((isSide) => this.#newSlot({ ...subject, isSide })),
    }
    // The longest unused comes first.
    this.#subjects.delete(subject.name)
    this.#subjects.set(subject.name, entry)
    if (this.#subjects.size > subjectsAtMost) this.#endOldest()
    return entry.pool
  }

  #newSlot(subject: Subject): Slot {
    return createSlot({
      idleMs: () => this.#facts.spec.idleMs,
      open: (signal) => this.#open(subject, signal),
      onIdle: () => this.#events.onIdle(subject),
    })
  }

  #endOldest(): void {
    for (const [name, { pool }] of this.#subjects) {
      const { slots } = pool
      if (slots.some(({ uses }) => uses() > 0)) continue
      this.#subjects.delete(name)
      return slots.forEach((slot) => void slot.close())
    }
  }
}

/** Less than is kept: a secret that was cut in two at the beginning would not be known any more. */
const shownErrorChars = 4000

function toShown(errorOutput: string, redactor: Redactor): string {
  return redactor.redactText(errorOutput).slice(-shownErrorChars)
}

function clean(error: unknown, redact: (text: string) => string): unknown {
  if (!isToolError(error)) return error
  const { code, retryable, fix, details } = error
  return new ToolError(code, redact(error.message), { retryable, details, ...(fix && { fix }) })
}
