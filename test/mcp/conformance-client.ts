import { Agent } from 'undici'
import type { CallContext } from '../../src/core/kernel/call.ts'
import type { CallerClient, ClientRequest } from '../../src/core/kernel/context/caller-client.ts'
import { isToolError } from '../../src/core/kernel/errors.ts'
import { mcpServerSchema } from '../../src/core/gateway/server-spec.ts'
import { createUuid } from '../../src/core/kernel/ids.ts'
import type { JsonValue } from '../../src/core/kernel/json.ts'
import type { Stores } from '../../src/features/stores.ts'
import { createGateway } from '../../src/gateway/create-gateway.ts'
import type { SignInTarget } from '../../src/core/gateway/connection-store.ts'
import type { OAuthPorts } from '../../src/gateway/oauth/oauth-ports.ts'
import { beginSignIn, finishSignIn } from '../../src/gateway/oauth/sign-in.ts'
import { createUpstreamAuth } from '../../src/gateway/oauth/upstream-auth.ts'

/** What the suite asks its client to do. */
export interface ClientTask {
  url: string
  scenario: string
  context: {
    client_id?: string
    client_secret?: string
    toolCalls?: { name: string; arguments: Record<string, JsonValue> }[]
  }
}

/** Whoever has agreed so often and is asked again gives up. */
const mostSignIns = 3

const principal = { kind: 'user', id: 'ada' } as const

const inputs: Readonly<Record<string, Record<string, JsonValue>>> = {
  add_numbers: { a: 5, b: 3 },
}

/**
 * The client of the conformance suite: the gateway, with somebody who signs in where they are asked
 * to. Reads what the server has and calls its tools.
 */
export async function runConformanceClient(task: ClientTask, store: Stores): Promise<void> {
  // Many run at once on one store, each as a tenant of its own.
  const key = { tenant: createUuid(), server: 'suite' }
  const { gateway, signIn } = openClient(task, key, store)
  try {
    const signedIn = withSignIn(signIn)
    gateway.begin()
    await signedIn(() => gateway.refresh(key, principal))
    const own = await gateway.toolsOf({ tenant: key.tenant, isForEveryone: false })
    const ready = (gateway.findStatus(key)?.tools ?? []).filter(({ state }) => state === 'ready')
    const calls =
      task.context.toolCalls ?? ready.map(({ name }) => ({ name, arguments: inputs[name] ?? {} }))
    for (const { name, arguments: input } of calls) {
      const status = ready.find((tool) => tool.name === name)
      const found = own.find(({ tool }) => tool.contract.name === status?.tool)
      if (found === undefined) throw new Error(`${name} is not there`)
      const call = toContext(key.tenant)
      const behaviour = await found.tool.behaviour(call)
      await signedIn(async () => behaviour.execute(input, call))
    }
  } finally {
    await gateway.close()
  }
}

function openClient(
  { url, scenario, context }: ClientTask,
  key: Pick<SignInTarget, 'tenant' | 'server'>,
  store: Stores,
) {
  const spec = mcpServerSchema.parse({
    url,
    timeoutMs: 20_000,
    ...(scenario.startsWith('auth/') && {
      oauth: { clientId: context.client_id, clientSecret: context.client_secret },
    }),
  })
  const oauth: OAuthPorts = {
    connections: store.connections,
    redirectUrl: () => 'http://localhost:4680/oauth/callback',
    clientMetadataUrl: () => 'https://conformance-test.local/client-metadata.json',
    fetchFor: () => fetch,
    readValue: async (_tenant, given) => given,
    now: Date.now,
  }
  const target: SignInTarget = {
    ...key,
    subject: 'user:ada',
    url,
    oauth: spec.oauth ?? { scopes: [], perUser: true },
  }
  const gateway = createGateway({
    store: store.gateway,
    pins: { read: async () => new Map(), add: async () => undefined, renew: async () => undefined },
    readSecrets: async () => new Map(),
    readEnv: () => ({}),
    authFor: async () => createUpstreamAuth(oauth, target),
    dispatcherFor: () => new Agent(),
    seesTools: async () => true,
    tell: () => undefined,
    onChange: () => undefined,
    onWarning: () => undefined,
    now: Date.now,
  })
  gateway.setServers({ tenant: key.tenant, isForEveryone: false }, { suite: spec })
  /** Goes where it is sent, as a browser would, and comes back. */
  const signIn = async () => {
    const { url: page } = await beginSignIn(oauth, target, { by: principal })
    const reply = await fetch(page, { redirect: 'manual' })
    const back = new URL(reply.headers.get('location') ?? 'about:blank').searchParams
    const pending = await store.connections.take(back.get('state') ?? '')
    if (pending === undefined) throw new Error('nobody began this sign-in')
    const given = Object.fromEntries(back) as { state: string; code?: string; iss?: string }
    await finishSignIn(oauth, target, { pending, answer: given })
  }
  return { gateway, signIn }
}

function withSignIn(signIn: () => Promise<void>) {
  let signIns = 0
  return async <T>(work: () => Promise<T>): Promise<T> => {
    for (;;) {
      try {
        return await work()
      } catch (error) {
        const isAsked = isToolError(error) && error.code === 'sign_in_required'
        if (!isAsked || ++signIns > mostSignIns) throw error
        await signIn()
      }
    }
  }
}

/** Fills in what a form says it would have unless somebody says otherwise. */
function answer({ method, params }: ClientRequest): JsonValue {
  if (method === 'roots/list') return { roots: [] }
  if (method === 'sampling/createMessage') {
    const content = { type: 'text', text: 'Paris' }
    return { role: 'assistant', model: 'none', content }
  }
  const { requestedSchema } = params as {
    requestedSchema?: { properties?: Record<string, { default?: JsonValue; type?: string }> }
  }
  const fields = Object.entries(requestedSchema?.properties ?? {}).map(([name, field]) => [
    name,
    field.default ?? (field.type === 'boolean' ? true : 'ada'),
  ])
  return { action: 'accept', content: Object.fromEntries(fields) as JsonValue }
}

const client: CallerClient = {
  abilities: new Set(['elicitation.form', 'sampling', 'roots']),
  ask: async (requests) =>
    Object.fromEntries(Object.entries(requests).map(([name, one]) => [name, answer(one)])),
  log: () => undefined,
}

function toContext(tenant: string): CallContext {
  return {
    tenant,
    agent: undefined,
    principal,
    sessionId: undefined,
    runtime: 'api',
    callId: 'call_1',
    signal: AbortSignal.timeout(25_000),
    secrets: {},
    env: {},
    options: {},
    completion: undefined,
    log: () => undefined,
    progress: () => undefined,
    cost: () => undefined,
    call: () => Promise.reject(new Error('no other tools')),
    client,
    skills: undefined as never,
    files: undefined as never,
    tools: undefined as never,
    workspace: undefined as never,
    processes: undefined as never,
    web: undefined as never,
    fetch: undefined as never,
    pages: undefined as never,
    code: undefined as never,
    models: undefined as never,
    artifacts: undefined as never,
    questions: undefined as never,
    authoring: undefined as never,
  }
}
