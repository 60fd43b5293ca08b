import path from 'node:path'
import type { Caller, CallResult } from '../core/call.ts'
import type { CallRequest, CribApi, ToolListing, ToolQuery } from '../core/crib-api.ts'
import { type CribToolSet, createToolSet, type ToolSetOptions } from '../ai-sdk/create-tool-set.ts'
import { toToolPort } from '../core/offer/to-tool-port.ts'
import type { Groups } from '../core/async/groups.ts'
import type { CribEvent } from '../core/events/event.ts'
import type { Explanation } from '../core/policy/scope.ts'
import type { EventQuery } from '../core/events/event-log.ts'
import type { Store } from '../core/ports.ts'
import type { Runtime, Tool } from '../core/tool.ts'
import type { ToolPort } from '../core/tool-port.ts'
import type { Upload } from '../core/uploads/upload.ts'
import type { UploadRequest } from '../core/uploads/uploads-api.ts'
import type { ConfigInput } from './config-schema.ts'
import type { Reload } from './loader/create-loader.ts'
import { openCrib } from './open-crib.ts'
import { ownerOf } from './owner.ts'
import { assertSession } from './api/well-formed.ts'

/** What a crib is made of. Everything has a default. */
export interface CribOptions {
  /** A configuration file, the folder it lies in, or the configuration itself. */
  config?: string | ConfigInput
  /** The folder relative paths start from; the current one. */
  cwd?: string
  /** The data folder; `.toolcrib` in `cwd`. */
  data?: string
  /** A PostgreSQL URL instead of the embedded store. */
  database?: string
  /** Folders with `*.tool.ts`, and tools themselves. */
  tools?: readonly (string | Tool)[]
  /** Reload tools when their files change. */
  watch?: boolean
  env?: Readonly<Record<string, string | undefined>>
  onReload?: (reload: Reload & { durationMs: number }) => void
  onWarning?: (message: string) => void
  /** An open store to use instead of opening one; it is not closed with the crib. */
  store?: Store
  /** What time it is, for schedules; the clock of this machine unless a test says otherwise. */
  now?: () => number
}

/** Who a library call is made for. Without a word: the owner of the default tenant. */
export interface CallAs {
  tenant?: string
  agent?: string
  /** A skill of the agent that is in force: its permissions narrow what may be used. */
  skill?: string
  sessionId?: string
  runtime?: Runtime
  /** What the caller may do; everything unless said. */
  permissions?: readonly string[]
}

export type CallOptions = CallAs &
  Pick<
    CallRequest,
    | 'idempotencyKey'
    | 'timeoutMs'
    | 'respondAsync'
    | 'priority'
    | 'durable'
    | 'signal'
    | 'onOutput'
    | 'groupId'
  > & {
    /** Wait up to so many seconds for a call that is queued or waits for somebody; `true`: for ever. */
    wait?: number | true
    /** Start it so many seconds from now. */
    delay?: number
  }

/** As whom tools are used, and who answers. */
export type PortAs = CallAs & {
  /**
   * Who answers in the conversation: a yes or no there is then decided as this person, in the same
   * tenant, if they may. Without one, approvals are decided elsewhere.
   */
  approver?: CallAs & { user?: string }
}

/** Tools for a run of a model, as whom, and in which conversation. */
export type ToolSetFor = PortAs & ToolSetOptions

/** A crib in this process. */
export interface Crib {
  /** Calls a tool. Never rejects: what goes wrong is in the result. */
  call(tool: string, input?: unknown, options?: CallOptions): Promise<CallResult>
  /**
   * Hands a file in; its `uri` is what a file field of an input takes. Kept for a day, or as long as
   * a call that uses it.
   */
  upload(file: UploadRequest, as?: CallAs): Promise<Upload>
  /** The tools this caller sees, sorted by name. */
  tools(query?: CallAs & ToolQuery): Promise<ToolListing[]>
  /** Every tool with every layer's verdict for this caller. */
  explain(query?: CallAs & { tool?: string }): Promise<Explanation[]>
  /** What happened, oldest first, up to now; with `follow`, on and on until the signal aborts. */
  events(
    query?: CallAs & Partial<EventQuery> & { follow?: boolean; signal?: AbortSignal },
  ): AsyncIterable<CribEvent>
  /** This crib as one caller meets it: what tools for other SDKs are made of. */
  port(as?: PortAs): ToolPort
  /** The tools this caller may use, for the AI SDK. */
  toolSet(options?: ToolSetFor): Promise<CribToolSet>
  /** Calls that something waits for together: the mechanism below an agent's turn. */
  readonly groups: Groups
  /** All that a door needs, for embedding one. */
  readonly api: CribApi
  /** Lets running calls finish, writes what is open, and closes the store. */
  close(): Promise<void>
}

/** Opens a crib for use as a library: the same tools, pipeline and record as the server's. */
export async function createCrib(options: CribOptions = {}): Promise<Crib> {
  const opened = await openCrib(toOpenOptions(options))
  const { api } = opened
  return {
    api,
    groups: opened.groups,
    call: (
      tool,
      input = {},
      {
        idempotencyKey,
        timeoutMs,
        respondAsync,
        wait,
        delay,
        priority,
        durable,
        signal,
        onOutput,
        groupId,
        ...as
      } = {},
    ) =>
      api.call({
        tool,
        input,
        caller: callerAs(as),
        idempotencyKey,
        timeoutMs,
        respondAsync,
        priority,
        startAt: delay === undefined ? undefined : Date.now() + delay * 1000,
        waitMs: wait === true ? Number.POSITIVE_INFINITY : (wait ?? 0) * 1000,
        durable,
        signal,
        onOutput,
        groupId,
      }),
    upload: (file, as = {}) => api.createUpload(callerAs(as), file),
    async tools(query = {}) {
      const all: ToolListing[] = []
      const caller = callerAs(query)
      let after = query.after
      do {
        const page = await api.listTools(caller, { ...query, after, limit: 1000 })
        all.push(...page.items)
        after = page.next
      } while (after !== undefined)
      return all
    },
    explain: (query = {}) => api.explain(callerAs(query), { tool: query.tool }),
    events: (query = {}) => readEvents(api, query),
    port: (as = {}) => toPort(api, as),
    toolSet: (options = {}) => toToolSet(api, options),
    close: opened.close,
  }
}

function toOpenOptions(options: CribOptions) {
  const { config, tools = [], ...rest } = options
  const cwd = path.resolve(options.cwd ?? process.cwd())
  const given = tools.filter((tool) => typeof tool !== 'string')
  const isFile = typeof config === 'string' && /\.(?:[mc]?[jt]s|ya?ml|json)$/.test(config)
  return {
    ...rest,
    cwd: typeof config === 'string' && !isFile ? path.resolve(cwd, config) : cwd,
    data: path.resolve(cwd, options.data ?? '.toolcrib'),
    configFile: isFile ? config : undefined,
    mustHaveConfig: typeof config === 'string',
    config: typeof config === 'object' ? config : undefined,
    folders: tools
      .filter((tool) => typeof tool === 'string')
      .map((folder) => path.resolve(cwd, folder)),
    tools: given,
  }
}

function callerAs(as: CallAs): Caller {
  const owner = ownerOf(as.tenant, as.runtime ?? 'api')
  return {
    ...owner,
    agent: as.agent,
    sessionId: as.sessionId,
    ...(as.skill !== undefined && { skill: as.skill }),
    ...(as.permissions && { permissions: as.permissions }),
  }
}

function toPort(api: CribApi, { approver, ...as }: PortAs): ToolPort {
  // Every call would be refused for it, one by one.
  assertSession(as.sessionId)
  const port = toToolPort(api, callerAs(as))
  if (approver === undefined) return port
  // What they are asked about is in the tenant of the calls.
  return { ...port, decide: decideAs(api, { tenant: as.tenant, ...approver }) }
}

async function toToolSet(api: CribApi, options: ToolSetFor): Promise<CribToolSet> {
  const { runId = options.sessionId } = options
  return createToolSet(toPort(api, options), { ...options, ...(runId !== undefined && { runId }) })
}

function decideAs(
  api: CribApi,
  { user, ...as }: CallAs & { user?: string },
): NonNullable<ToolPort['decide']> {
  const caller = callerAs(as)
  const principal = user === undefined ? caller.principal : { kind: 'user' as const, id: user }
  return ({ approvalId, approved, reason }) =>
    api.decideApproval({ ...caller, principal }, approvalId, {
      decision: approved ? 'approve' : 'reject',
      ...(reason !== undefined && { reason }),
    })
}

async function* readEvents(
  api: CribApi,
  query: CallAs & Partial<EventQuery> & { follow?: boolean; signal?: AbortSignal },
): AsyncGenerator<CribEvent> {
  const caller = callerAs({ ...query, sessionId: undefined })
  const { types, callId, sessionId, limit = 500, signal } = query
  const filters = { types, callId, sessionId }
  let { after } = query
  if (query.follow === true) {
    return yield* followEvents(api, { caller, query: { ...filters, after, limit }, signal })
  }
  while (!query.signal?.aborted) {
    const page = await api.readEvents(caller, { ...filters, after, limit })
    yield* page.items
    after = page.next
    if (!page.hasMore) return
  }
}

async function* followEvents(
  api: CribApi,
  { caller, query, signal }: { caller: Caller; query: EventQuery; signal?: AbortSignal },
): AsyncGenerator<CribEvent> {
  const follower = await api.followEvents(caller, query)
  const wake = () => follower.wake()
  signal?.addEventListener('abort', wake, { once: true })
  try {
    for (;;) {
      if (signal?.aborted) return
      yield* await follower.next(Number.POSITIVE_INFINITY)
    }
  } finally {
    // Also when the reader breaks off in the middle of a page, or the store fails.
    signal?.removeEventListener('abort', wake)
    follower.close()
  }
}
