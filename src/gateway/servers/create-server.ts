import type { Principal } from '../../core/call.ts'
import { isToolError, ToolError } from '../../core/errors.ts'
import type { ServerState, ServerStatus } from '../../core/gateway/server-status.ts'
import type { OwnTool } from '../../core/tenant-tables.ts'
import { callUpstream } from '../calls/call-upstream.ts'
import type { ReadTool } from '../tools/judge-tools.ts'
import { findParamHeaders } from '../tools/param-headers.ts'
import type { JsonRecord } from '../wire/messages.ts'
import { createBackoff } from './backoff.ts'
import type { Opened, Use } from './create-slot.ts'
import { createListWatch } from './list-watch.ts'
import { createConnections, type Subject } from './server-connections.ts'
import { type ServerFacts, youngVerdict } from './server-facts.ts'
import { createServerLists } from './server-lists.ts'

/** What somebody beside the tools wants to hear of. */
export interface ServerNews {
  /** `uri` where what stands under it has changed, else a list. */
  uri?: string
}

/** One server of one tenant, for as long as its spec stays the same. */
export interface Server {
  readonly facts: ServerFacts
  /** Begins to connect; does not wait. */
  start(): void
  tools(): Promise<readonly OwnTool[]>
  status(): ServerStatus
  /** Connects whatever the backoff says, and lists. */
  refresh(principal?: Principal): Promise<void>
  /** For requests beside calls: prompts, resources, completion. */
  use(principal?: Principal): Promise<Use>
  watch(listener: (news: ServerNews) => void): () => void
  stop(principal?: Principal): Promise<void>
  close(): Promise<void>
}

/** One that ends so soon after its start is not started again at once. */
const quickEndMs = 10_000

export function createServer(facts: ServerFacts): Server {
  const { key, spec, ports } = facts
  const backoff = createBackoff(ports.now)
  const watchers = new Set<(news: ServerNews) => void>()
  const life = {
    state: 'idle' as ServerState,
    reason: undefined as string | undefined,
    restarts: 0,
  }
  let isClosed = false
  let hasTold = false
  let quickEnds = 0
  let retry: ReturnType<typeof setTimeout> | undefined
  let listing: Promise<void> | undefined

  const lists = createServerLists(facts, (tool) => {
    const target = toTarget(tool, facts)
    return (input, context) =>
      callUpstream(
        { ...target, lease: async (frame) => reach(() => connections.lease(frame, context)) },
        input,
        context,
      )
  })
  const watch = createListWatch({
    onTools: () => void relist(),
    onNews: (news) => watchers.forEach((listener) => listener(news)),
  })
  const connections = createConnections(facts, {
    verdict: () => youngVerdict(lists.verdict, ports.now()),
    onOpen,
    onLost(reason, subject, openMs) {
      life.restarts += 1
      ports.tell(key.tenant, 'mcp.server.ended', {
        server: key.server,
        reason: reason.slice(0, 500),
      })
      if (subject.name !== '') return
      quickEnds = openMs < quickEndMs ? quickEnds + 1 : 0
      if (quickEnds === 0) backoff.succeed()
      // Once may happen to anybody; one that does not stay up is waited for.
      if (quickEnds > 1) backoff.fail()
      setState('idle', reason)
    },
    onNotification: (method, params) => watch.hear(method, params),
    onIdle({ name }) {
      if (name !== '') return
      backoff.succeed()
      setState('idle', undefined)
    },
  })

  function onOpen({ upstream }: Opened, subject: Subject): void {
    lists.noteVerdict(upstream)
    watch.follow(upstream)
    if (subject.name !== '' && lists.listedAt !== undefined) return
    const wasDown = life.state === 'down' || life.state === 'unauthorized'
    if (!hasTold || wasDown) {
      const { era, version } = upstream.verdict
      ports.tell(key.tenant, 'mcp.server.connected', { server: key.server, era, version })
      hasTold = true
    }
    setState('connected', undefined)
    void relist(subject.principal)
  }
  function setState(state: ServerState, reason: string | undefined): void {
    const before = isDown()
    life.state = isClosed ? 'disabled' : state
    life.reason = reason
    if (before !== isDown()) ports.onChange(key)
  }
  const isDown = () =>
    life.state === 'down' ? (life.reason ?? 'it can not be reached') : undefined

  /** Notes how it went: what could not be reached is tried again later, by itself. */
  async function reach(attempt: () => Promise<Use>): Promise<Use> {
    if (isClosed) throw new ToolError('upstream_failed', `${key.server} was switched off`)
    if (ports.now() < backoff.retryAt && connections.count() === 0) throw downError()
    try {
      return await attempt()
    } catch (error) {
      throw failed(error)
    }
  }
  function failed(error: unknown): ToolError {
    const known = isToolError(error) ? error : new ToolError('upstream_failed', String(error))
    const reason = known.message.slice(0, 1000)
    if (known.details['needsSignIn'] === true) {
      setState('unauthorized', reason)
      return new ToolError('unauthorized', `${key.server} asks for a sign-in`, {
        fix: `Sign in to it: toolcrib mcp login ${key.server}`,
        details: known.details,
      })
    }
    backoff.fail()
    lists.forgetVerdict()
    if (life.state !== 'down') {
      ports.tell(key.tenant, 'mcp.server.failed', {
        server: key.server,
        reason: reason.slice(0, 500),
      })
    }
    setState('down', reason)
    plan()
    return new ToolError(known.code, `${key.server}: ${reason}`, {
      retryable: known.retryable,
      details: known.details,
      ...(known.fix !== undefined && { fix: known.fix }),
    })
  }
  const downError = () =>
    new ToolError(
      'upstream_failed',
      `${key.server} can not be reached: ${life.reason ?? 'it ended'}`,
    )

  function plan(): void {
    clearTimeout(retry)
    if (isClosed) return
    const waitMs = Math.max(0, backoff.retryAt - ports.now())
    retry = setTimeout(() => void connect().catch(() => undefined), waitMs).unref()
  }
  async function connect(principal?: Principal): Promise<void> {
    if (life.state !== 'connected' && life.state !== 'down') setState('connecting', undefined)
    const use = await reach(() => connections.use(principal))
    use.release()
  }
  /** One at a time; whoever comes meanwhile gets the next one. */
  async function relist(principal?: Principal): Promise<void> {
    listing = (listing ?? Promise.resolve()).then(() => list(principal)).catch(() => undefined)
    await listing
  }
  async function list(principal: Principal | undefined): Promise<void> {
    if (isClosed) return
    const use = await connections.use(principal)
    try {
      if (!(await lists.ask(use.upstream))) return
      ports.tell(key.tenant, 'mcp.server.listed', { server: key.server, tools: lists.count() })
      ports.onChange(key)
      watchers.forEach((listener) => listener({}))
    } catch (error) {
      const reason = isToolError(error) ? error.message : String(error)
      ports.onWarning(
        `The tools of ${key.server} could not be listed: ${use.redactor.redactText(reason)}`,
      )
      throw error
    } finally {
      use.release()
    }
  }
  return {
    facts,
    start() {
      if (!spec.enabled) return setState('disabled', undefined)
      void lists
        .load()
        .then(() => connect())
        .catch(() => undefined)
    },
    async tools() {
      if (!spec.enabled) return []
      await lists.load()
      return lists.tools(isDown())
    },
    status: () => toStatus(),
    async refresh(principal) {
      backoff.succeed()
      await connect(principal)
      await list(principal)
    },
    use: (principal) => reach(() => connections.use(principal)),
    watch(listener) {
      const entry = (news: ServerNews) => listener(news)
      watchers.add(entry)
      return () => void watchers.delete(entry)
    },
    async stop(principal) {
      await connections.close(principal)
      if (principal === undefined) setState('idle', undefined)
    },
    async close() {
      isClosed = true
      clearTimeout(retry)
      watch.close()
      await connections.close(undefined, 'the server was switched off')
    },
  }

  function toStatus(): ServerStatus {
    const { reason, state, restarts } = life
    const { verdict, about, listedAt } = lists
    const errorOutput = connections.errorOutput()
    return {
      server: key.server,
      tenant: key.tenant,
      isForEveryone: facts.isForEveryone,
      state: spec.enabled ? state : 'disabled',
      ...(reason !== undefined && { reason }),
      ...(state === 'down' && { retryAt: Math.round(backoff.retryAt) }),
      ...(verdict !== undefined && { verdict }),
      ...(about !== undefined && { about }),
      ...(listedAt !== undefined && { listedAt }),
      tools: lists.judged().map(({ name, localName, state: standing, reason: why, ...tool }) => ({
        name,
        ...(standing !== 'left out' && { tool: `mcp:${key.server}:${localName}` }),
        state: standing,
        ...(why !== undefined && { reason: why }),
        hash: tool.hash,
        ...(tool.differences !== undefined && { differences: tool.differences }),
        findings: tool.findings,
      })),
      connections: connections.count(),
      restarts,
      ...(errorOutput !== '' && { errorOutput }),
    }
  }
}

function toTarget({ name, definition }: ReadTool, { key, spec }: ServerFacts) {
  const headers = findParamHeaders(definition['inputSchema'])
  const annotations = definition['annotations'] as JsonRecord | undefined
  const execution = definition['execution'] as JsonRecord | undefined
  return {
    server: key.server,
    tool: name,
    paramHeaders: typeof headers === 'string' ? [] : headers,
    needsTask: execution?.['taskSupport'] === 'required',
    isRepeatable:
      annotations?.['readOnlyHint'] === true || annotations?.['idempotentHint'] === true,
    maxBytes: spec.maxResultBytes,
  }
}
