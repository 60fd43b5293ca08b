import type { Principal } from '../../core/kernel/call.ts'
import { isToolError, ToolError } from '../../core/kernel/errors.ts'
import type { ServerStatus } from '../../core/gateway/server-status.ts'
import type { McpServerSpec } from '../../core/gateway/server-spec.ts'
import type { OwnTool } from '../../core/tenant-tables.ts'
import { createExecutor } from '../calls/create-executor.ts'
import type { ReadTool } from '../tools/judge-tools.ts'
import { isLost } from '../wire/messages.ts'
import { type Backoff, createBackoff } from './backoff.ts'
import type { Use } from './create-slot.ts'
import type { Opened } from './opened.ts'
import { createServerCondition, type ServerCondition } from './server-condition.ts'
import { createListWatch, type ServerListWatch } from './list-watch.ts'
import { createOnDemand, type OnDemand } from './on-demand.ts'
import { switchedOff, toReachFailure } from './reach-failure.ts'
import { createRelisting, type Relisting } from './relisting.ts'
import {
  type Connections,
  createConnections,
  isMain,
  type Loss,
  type Subject,
} from './server-connections.ts'
import { type ServerFacts, youngVerdict } from '../upstream/server-facts.ts'
import { createServerLists, type ServerLists } from './server-lists.ts'
import type { Server, ServerNews } from './server.ts'
import { toServerStatus } from './to-server-status.ts'

/** One that ends so soon after its start is not started again at once. */
const quickEndMs = 10_000

export function createServer(facts: ServerFacts): Server {
  return new LivingServer(facts)
}

class LivingServer implements Server {
  readonly facts: ServerFacts
  readonly #backoff: Backoff
  readonly #onDemand: OnDemand
  readonly #relisting: Relisting
  readonly #lists: ServerLists
  readonly #connections: Connections
  readonly #watch: ServerListWatch
  readonly #watchers = new Set<(news: ServerNews) => void>()
  readonly #condition: ServerCondition
  #restarts = 0
  #quickEnds = 0
  #hasTold = false
  #retry: ReturnType<typeof setTimeout> | undefined
  /** The last failure: everyone who waited for the same attempt gets the same error. */
  #failure: unknown
  #listing: Promise<void> = Promise.resolve()
  /** The last connected person, if people sign in for themselves: nobody else can list. */
  #person: Principal | undefined

  constructor(facts: ServerFacts) {
    this.facts = facts
    this.#condition = createServerCondition(() => facts.ports.onChange(facts.key))
    this.#backoff = createBackoff(facts.ports.now)
    this.#onDemand = createOnDemand(facts.ports.now)
    this.#relisting = createRelisting(facts.ports.now)
    this.#lists = createServerLists(facts, (tool) => this.#executor(tool))
    this.#watch = createListWatch({
      onTools: () => void this.#relist(this.#person),
      onNews: (news) => this.#watchers.forEach((listener) => listener(news)),
    })
    this.#connections = createConnections(facts, {
      asking: this.#lists.asking,
      verdict: () => youngVerdict(this.#lists.verdict, facts.ports.now()),
      onOpen: (opened, subject) => this.#onOpen(opened, subject),
      onLost: (loss, subject) => this.#onLost(loss, subject),
      onUnreachable: (subject) => isMain(subject) && this.#reopen(),
      onNotification: (method, params) => this.#watch.hear(method, params),
      onIdle: (subject) => this.#onIdle(subject),
    })
  }

  start(): void {
    if (!this.facts.spec.enabled) return this.#condition.set('disabled')
    this.#lists
      .load()
      .then(() => this.#connect())
      .catch(() => undefined)
  }

  async tools(): Promise<readonly OwnTool[]> {
    if (!this.facts.spec.enabled) return []
    await this.#lists.load()
    return this.#lists.tools(this.#condition.whyDown())
  }

  status(): ServerStatus {
    return toServerStatus(this.facts, {
      condition: this.#condition,
      lists: this.#lists,
      connections: this.#connections,
      restarts: this.#restarts,
      retryAt: (this.#condition.state === 'down' ? this.#backoff : this.#relisting).retryAt,
    })
  }

  async refresh(principal?: Principal): Promise<void> {
    this.#backoff.succeed()
    const look = async () => {
      await this.#connect(principal)
      await this.#list(principal)
    }
    // A connection that seems open may be long dead.
    await look().catch((error: unknown) => (isLost(error) ? look() : Promise.reject(error)))
  }

  use(principal?: Principal): Promise<Use> {
    return this.#reachSoon(() => this.#connections.use(principal))
  }

  watch(listener: (news: ServerNews) => void): () => void {
    const entry = (news: ServerNews) => listener(news)
    this.#watchers.add(entry)
    return () => void this.#watchers.delete(entry)
  }

  async stop(principal?: Principal): Promise<void> {
    await this.#connections.close(principal)
    if (principal === undefined) this.#condition.set('idle')
    else this.#noteUnused()
  }

  async renew(): Promise<void> {
    if (!(await this.#connections.renew())) return
    this.#backoff.succeed()
    this.#reopen()
  }

  adopt(spec: McpServerSpec): void {
    const { maxResultBytes } = this.facts.spec
    this.facts.spec = spec
    this.#lists.remake()
    if (maxResultBytes === spec.maxResultBytes) return
    // A connection is made for messages of a size.
    this.#connections.retire()
    this.#reopen()
  }

  async close(): Promise<void> {
    this.#condition.close()
    clearTimeout(this.#retry)
    this.#relisting.close()
    this.#watch.close()
    await this.#connections.close(undefined, 'the server was disabled or restarted')
  }

  #executor(tool: ReadTool) {
    return createExecutor(tool, this.facts, (frame, context) =>
      this.#reachSoon(() => this.#connections.lease(frame, context), context.signal),
    )
  }

  #onOpen({ upstream }: Opened, subject: Subject): void {
    const { ports, key } = this.facts
    const { principal } = subject
    this.#lists.noteVerdict(upstream)
    this.#watch.follow(upstream)
    this.#person = principal
    if (subject.isSide === true) return
    if (!isMain(subject) && this.#lists.listedAt !== undefined) {
      return this.#condition.set('connected')
    }
    const wasAway = this.#condition.state === 'down' || this.#condition.state === 'unauthorized'
    if (!this.#hasTold || wasAway) {
      const { era, version } = upstream.verdict
      ports.tell(key.tenant, 'mcp.server.connected', { server: key.server, era, version })
      this.#hasTold = true
    }
    this.#condition.set('connected')
    void this.#relist(principal)
  }

  #onLost({ reason, openMs, isForgotten }: Loss, subject: Subject): void {
    if (isForgotten) return this.#onIdle(subject)
    this.#restarts += 1
    this.#tell('mcp.server.ended', reason)
    if (!isMain(subject)) return this.#noteUnused(reason)
    this.#quickEnds = openMs < quickEndMs ? this.#quickEnds + 1 : 0
    if (this.#quickEnds === 0) this.#backoff.succeed()
    // Once may happen to anybody; one that does not stay up is waited for.
    if (this.#quickEnds <= 1) return this.#condition.set('idle', reason)
    this.#backoff.fail()
    this.#condition.isUnsteady = true
    this.#condition.set('down', reason)
    this.#plan()
  }

  #onIdle(subject: Subject): void {
    if (!isMain(subject)) return this.#noteUnused()
    this.#backoff.succeed()
    this.#condition.set('idle')
  }

  /** One of several connections has ended: the server is as well as the others. */
  #noteUnused(reason?: string): void {
    const isOver = this.#condition.state === 'connected' && this.#connections.count() === 0
    if (isOver) this.#condition.set('idle', reason)
  }

  /** Notes how it went: what could not be reached is tried again later, by itself. */
  async #reach(attempt: () => Promise<Use>, signal?: AbortSignal): Promise<Use> {
    if (this.#condition.isClosed || !this.facts.spec.enabled)
      throw switchedOff(this.facts.key.server)
    try {
      return await attempt()
    } catch (error) {
      // A caller who waits for a connection of their own and gives up proves nothing about the
      // server.
      throw signal?.aborted === true ? error : this.#failed(error)
    }
  }

  /**
   * The same for callers that cannot wait: a server that was just unreachable is not tried again at
   * once.
   */
  async #reachSoon(attempt: () => Promise<Use>, signal?: AbortSignal): Promise<Use> {
    const { ports, key } = this.facts
    const { retryAt } = this.#backoff
    if (ports.now() >= retryAt || this.#connections.count() > 0) return this.#reach(attempt, signal)
    const why = this.#condition.reason ?? 'it ended'
    if (this.#condition.isUnsteady) {
      const about = { server: key.server, why, retryAt }
      return this.#onDemand.start(() => this.#reach(attempt, signal), about)
    }
    throw new ToolError('upstream_failed', `${key.server} can not be reached: ${why}`)
  }

  #failed(thrown: unknown): ToolError {
    const { reason, needsSignIn, error } = toReachFailure(thrown, this.facts.key.server)
    // If no further connection can be opened, callers that have one continue; one that was ended
    // here did not fail.
    if (this.#connections.count() > 0 || this.#condition.isClosed) return error
    if (!needsSignIn) this.#noteDown(thrown, reason)
    // Where people sign in for themselves, a person who has not proves nothing about the others.
    else if (this.#isPersonal()) this.#condition.set('idle')
    else this.#condition.set('unauthorized', reason)
    return error
  }

  #noteDown(error: unknown, reason: string): void {
    if (error !== this.#failure) this.#backoff.fail()
    this.#failure = error
    this.#lists.forgetVerdict()
    this.#condition.isUnsteady = false
    if (this.#condition.state !== 'down') this.#tell('mcp.server.failed', reason)
    this.#condition.set('down', reason)
    this.#plan()
  }

  #tell(event: 'mcp.server.ended' | 'mcp.server.failed', reason: string): void {
    const { ports, key } = this.facts
    ports.tell(key.tenant, event, { server: key.server, reason: reason.slice(0, 500) })
  }

  /** Its tools are known, and everybody connects for themselves: with nobody's account there is nothing to do. */
  #isPersonal(): boolean {
    return this.facts.spec.oauth?.perUser === true && this.#lists.listedAt !== undefined
  }

  #plan(): void {
    clearTimeout(this.#retry)
    if (this.#condition.isClosed) return
    const waitMs = Math.max(0, this.#backoff.retryAt - this.facts.ports.now())
    this.#retry = setTimeout(() => void this.#connect().catch(() => undefined), waitMs).unref()
  }

  #reopen(): void {
    if (this.facts.spec.enabled) this.#connect().catch(() => undefined)
  }

  async #connect(principal?: Principal): Promise<void> {
    if (principal === undefined && this.#isPersonal()) {
      return this.#connections.count() > 0 ? undefined : this.#condition.set('idle')
    }
    const isNew = this.#condition.state !== 'connected' && this.#condition.state !== 'down'
    if (isNew) this.#condition.set('connecting')
    const use = await this.#reach(() => this.#connections.use(principal))
    use.release()
    // It may have been open all along.
    if (this.#condition.state !== 'connected') this.#condition.set('connected')
  }

  /** One at a time, in the order they were asked for. */
  async #relist(principal?: Principal): Promise<void> {
    this.#listing = this.#listing.then(() => this.#list(principal)).catch(() => undefined)
    await this.#listing
  }

  async #list(principal: Principal | undefined): Promise<void> {
    const { ports, key } = this.facts
    if (this.#condition.isClosed) return
    const use = await this.#connections.use(principal)
    try {
      const isOther = await this.#lists.ask(use)
      this.#noteListing(undefined, principal)
      if (!isOther) return
      const tools = this.#lists.count()
      ports.tell(key.tenant, 'mcp.server.listed', { server: key.server, tools })
      ports.onChange(key)
      this.#watchers.forEach((listener) => listener({}))
    } catch (error) {
      const reason = use.redactor.redactText(isToolError(error) ? error.message : String(error))
      ports.onWarning(`The tools of ${key.server} could not be listed: ${reason}`)
      // A program that has exited is started by the next use, and listed then.
      if (use.upstream.peer.isOpen) this.#noteListing(reason, principal)
      throw error
    } finally {
      use.release()
    }
  }

  /** A server that can be talked to and has no list is asked again by itself. */
  #noteListing(fault: string | undefined, principal: Principal | undefined): void {
    const reason = fault && `its tools could not be listed: ${fault.slice(0, 900)}`
    if (this.#condition.state === 'connected') this.#condition.set('connected', reason)
    this.#relisting.note(fault !== undefined, () => {
      if (this.#condition.state === 'connected') void this.#relist(principal)
    })
  }
}
