import type { Caller, CallResult } from '../core/kernel/call.ts'
import type { CribApi } from '../features/crib-api.ts'
import type { ToolListing } from '../core/tools/tool-listing.ts'
import { createToolSet, type CribToolSet } from '../doors/sdk/create-tool-set.ts'
import { ToolError } from '../core/kernel/errors.ts'
import type { CribEvent } from '../core/events/event.ts'
import type { EventQuery } from '../core/events/event-log.ts'
import { toToolPort } from '../core/to-tool-port.ts'
import { toCallError } from '../core/pipeline/record/call-error.ts'
import { findNearest } from '../core/patterns/nearest-name.ts'
import type { ToolPort } from '../core/offer/tool-port.ts'
import type { TestReport } from '../core/trials/run-tests.ts'
import type { EvalReport } from '../features/evals/eval-report.ts'
import type { JsonValue } from '../core/kernel/json.ts'
import { type CallableTool, nameOfTool } from '../core/kernel/callable-tool.ts'
import type {
  CallAs,
  CallOptions,
  Crib,
  CribOptions,
  EvalQuery,
  PersonAs,
  PortAs,
  PreviewOptions,
  ToolSetFor,
} from './crib.ts'
import { toOpenOptions } from './crib-options.ts'
import { createCribFetch, toBasePath } from './crib-fetch.ts'
import { createCribApprovals, createCribCalls } from './crib-records.ts'
import { openCrib } from './open-crib.ts'
import { createSandboxSession } from './sandbox/create-sandbox-session.ts'
import { ownerOf } from './owner.ts'
import { assertSession } from './pipeline/well-formed.ts'

/** Opens a crib for use as a library: the same tools, pipeline and record as the server's. */
export async function createCrib(options: CribOptions = {}): Promise<Crib> {
  const given = toOpenOptions(options)
  const basePath = toBasePath(options.http)
  const opened = await openCrib(given)
  const state = { isClosed: false }
  const api = untilClosed(opened.api, state)
  const http = createCribFetch({ ...opened, api, basePath, hasConsole: options.http?.console })
  const call = (tool: CallableTool | string, input?: unknown, given?: CallOptions) =>
    callAs(api, { tool, input, given })
  return {
    api,
    groups: opened.groups,
    // The types are derived from the tool, and its schemas enforce them.
    call: call as Crib['call'],
    preview: async (tool, input?: unknown, given?: PreviewOptions) =>
      previewAs(api, tool, { input, given }),
    runTests: (pattern, as = {}) => runTestsAs(api, callerAs(as), pattern),
    runEvals: (query = {}) => runEvalsAs(api, query),
    upload: async (file, as = {}) => api.createUpload(callerAs(as), file),
    tools: (query = {}) => listTools(api, query),
    tool: async (tool, as = {}) => api.findTool(callerAs(as), { name: nameOfTool(tool) }),
    explain: async (query = {}) => (await api.explain(callerAs(query), { tool: query.tool })).items,
    events: (query = {}) => readEvents(api, query),
    calls: createCribCalls(api, callerAs),
    approvals: createCribApprovals(api, personAs),
    port: (as = {}) => toPort(api, as),
    toolSet: (options = {}) => toToolSet(api, options),
    sandbox(as) {
      assertSession(as.sessionId)
      return createSandboxSession({ ...opened, api, caller: callerAs(as) })
    },
    fetch: http.fetch,
    async close() {
      http.drain()
      state.isClosed = true
      await opened.close()
    },
  }
}

/** The same functions, which report a closed crib clearly instead of with an error of its store. */
function untilClosed(api: CribApi, state: { readonly isClosed: boolean }): CribApi {
  const guarded = Object.entries(api).map(([name, value]: [string, unknown]) => {
    if (typeof value !== 'function') return [name, value]
    const run = value as (...given: unknown[]) => unknown
    return [name, (...given: unknown[]) => (state.isClosed ? refuse(name) : run.apply(api, given))]
  })
  return Object.fromEntries(guarded)
}

/** `call` and `ask` never reject. */
function refuse(name: string): unknown {
  const error = closed()
  if (name === 'call' || name === 'ask') {
    return Promise.resolve({ status: 'failed', error: toCallError(error) })
  }
  throw error
}

function closed(): ToolError {
  return new ToolError('shutting_down', 'This crib is closed', {
    fix: 'Call it before close(), or open another with createCrib().',
    retryable: false,
  })
}

async function runTestsAs(api: CribApi, caller: Caller, pattern: string | undefined) {
  const reports: TestReport[] = []
  for (const { tool } of (await api.listToolTests(caller, { pattern })).items) {
    reports.push(await api.runToolTests(caller, { name: tool }))
  }
  return reports
}

async function runEvalsAs(
  api: CribApi,
  { pattern, models, runs, signal, agent, ...as }: EvalQuery,
): Promise<EvalReport[]> {
  const reports: EvalReport[] = []
  const caller = callerAs(as)
  for (const { name } of (await api.listToolEvals(caller, { pattern, agent })).items) {
    const request = { name, agent, runs, ...(models && { models: [...models] }) }
    reports.push(await api.runToolEvals(caller, request, { signal }))
  }
  return reports
}

async function previewAs(
  api: CribApi,
  tool: CallableTool | string,
  { input = {}, given = {} }: { input: unknown; given: PreviewOptions | undefined },
) {
  const { timeoutMs, signal, ...as } = given
  const request = { name: nameOfTool(tool), input: input as JsonValue, timeoutMs }
  return api.previewTool(callerAs(as), request, { signal })
}

interface GivenCall {
  tool: CallableTool | string
  input: unknown
  given: CallOptions | undefined
}

async function callAs(
  api: CribApi,
  { tool, input = {}, given = {} }: GivenCall,
): Promise<CallResult> {
  const {
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
  } = given
  const wrong = findMisuse(tool, as)
  if (wrong !== undefined) return { status: 'failed', error: toCallError(wrong) }
  return api.call({
    tool: nameOfTool(tool),
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
  })
}

const callerFields: ReadonlySet<string> = new Set<keyof CallAs>([
  'tenant',
  'agent',
  'skill',
  'sessionId',
  'runtime',
  'permissions',
])

const callFields: readonly string[] = [
  ...callerFields,
  'idempotencyKey',
  'timeoutMs',
  'respondAsync',
  'wait',
  'delay',
  'priority',
  'durable',
  'signal',
  'onOutput',
  'groupId',
]

/** Reports at run time what the compiler reports in TypeScript. */
function findMisuse(tool: unknown, as: object): ToolError | undefined {
  const isCallable =
    typeof tool === 'string' ||
    typeof (tool as Partial<CallableTool> | null | undefined)?.contract?.name === 'string'
  if (!isCallable) {
    return new ToolError('invalid_request', 'crib.call got no tool', {
      fix: "Pass a tool's name, or what defineTool returned.",
    })
  }
  for (const name in as) {
    if (callerFields.has(name)) continue
    const nearest = findNearest(name, callFields)
    const question = nearest === undefined ? '' : `; did you mean ${nearest}?`
    return new ToolError('invalid_request', `crib.call has no option ${name}${question}`, {
      issues: [{ path: `/${name}`, message: `is not an option of a call${question}` }],
      fix: `The options are ${callFields.join(', ')}.`,
    })
  }
  return undefined
}

async function listTools(api: CribApi, query: NonNullable<Parameters<Crib['tools']>[0]>) {
  const all: ToolListing[] = []
  const caller = callerAs(query)
  let after = query.after
  do {
    const page = await api.listTools(caller, { ...query, after, limit: 1000 })
    all.push(...page.items)
    after = page.next
  } while (after !== undefined)
  return all
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

function personAs({ user, ...as }: PersonAs): Caller {
  const caller = callerAs(as)
  return user === undefined ? caller : { ...caller, principal: { kind: 'user', id: user } }
}

function toPort(api: CribApi, { approver, ...as }: PortAs): ToolPort {
  // Otherwise every call would be refused for it, one by one.
  assertSession(as.sessionId)
  const port = toToolPort(api, callerAs(as))
  if (approver === undefined) return port
  // The approvals that these options decide are in the tenant of the calls.
  return { ...port, decide: decideAs(api, { tenant: as.tenant, ...approver }) }
}

async function toToolSet(api: CribApi, options: ToolSetFor): Promise<CribToolSet> {
  const { runId = options.sessionId } = options
  return createToolSet(toPort(api, options), { ...options, ...(runId !== undefined && { runId }) })
}

function decideAs(api: CribApi, as: PersonAs): NonNullable<ToolPort['decide']> {
  return ({ approvalId, approved, reason }) =>
    api.decideApproval(personAs(as), {
      id: approvalId,
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
    // Also when the reader stops in the middle of a page, or the store fails.
    signal?.removeEventListener('abort', wake)
    follower.close()
  }
}
