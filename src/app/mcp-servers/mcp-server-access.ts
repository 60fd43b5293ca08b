import type { Caller } from '../../core/kernel/call.ts'
import { isToolError, ToolError } from '../../core/kernel/errors.ts'
import type { McpServer, McpServersApi } from '../../core/gateway/mcp-servers-api.ts'
import type { ServerKey } from '../../core/gateway/gateway-store.ts'
import type { McpServerSpec } from '../../core/gateway/server-spec.ts'
import type { ServerStatus } from '../../core/gateway/server-status.ts'
import { fitsWords } from '../../core/search/fits-words.ts'
import { isRecord } from '../../core/kernel/json/json-type.ts'
import { requireManager } from '../../core/operations/require-permission.ts'
import {
  assertOwner,
  changeRules,
  checkName,
  type McpAccessParts,
  requireReader,
} from './mcp-access-parts.ts'
import { type KnownMcpServer, serverNotFound } from './find-server.ts'
import { assertSecretUse } from '../gateway/secret-use.ts'
import { toFacts } from './server-facts.ts'
import { checkServer } from '../gateway/server-rules.ts'
import { toMcpServer } from './to-mcp-server.ts'
import { tryServer } from './try-server.ts'

type ServerAccess = Pick<
  McpServersApi,
  'listMcpServers' | 'findMcpServer' | 'seesMcpServer' | 'testMcpServer' | 'refreshMcpServer'
>

const largestPage = 200
const trialsAtOnce = 4

/** MCP servers of tenants: how they stand. Reading needs `mcp.manage`, `tools.approve` or `policy.read`. */
export function createMcpServerAccess(parts: McpAccessParts): ServerAccess {
  const { servers, gateway, tools, wake } = parts
  const trials = createTrials()
  async function specToTry(caller: Caller, name: string, given: unknown): Promise<McpServerSpec> {
    if (given === undefined) {
      const known = await servers.findUsable(caller, name)
      assertOwner(caller, known)
      return known.spec
    }
    checkName(name, parts)
    const spec = checkServer(given, caller, parts.terms)
    assertSecretUse(spec, caller)
    return spec
  }
  /** Nothing else of a try stays, and it may have handed secrets over. */
  async function tellTry({ tenant, principal }: Caller, server: string, spec: McpServerSpec) {
    const { enabled: _enabled, ...facts } = toFacts(spec)
    if (facts.secrets === undefined) return
    const event = { type: 'mcp.server.tested', at: Date.now(), data: { server, ...facts } } as const
    await parts.store.events.record([{ tenant, principal, events: [event] }])
  }
  return {
    async listMcpServers(caller, { after = '', limit, q }) {
      requireReader(caller)
      await wake(caller.tenant)
      const status = new Map(gateway.statusOf(caller.tenant).map((one) => [one.server, one]))
      // By what the caller is shown: a question must not find out what is kept from them.
      const rest = (await servers.list(caller.tenant))
        .filter(({ name }) => name > after)
        .map((known) => toMcpServer(known, status.get(known.name), caller))
        .filter((server) => fitsWords(q, wordsOfServer(server)))
      const items = rest.slice(0, Math.min(limit, largestPage))
      const next = items.at(-1)?.name
      return rest.length > items.length && next !== undefined ? { items, next } : { items }
    },
    async findMcpServer(caller, name) {
      requireReader(caller)
      return showServer(parts, caller, name)
    },
    async seesMcpServer(caller, name) {
      // Policy has an answer for any name, so whether there is a server is asked first.
      const isThere =
        tools.has(caller.tenant, name) ||
        (await servers.list(caller.tenant)).some((server) => server.name === name)
      return isThere && tools.sees(caller, name)
    },
    async testMcpServer(caller, name, given) {
      requireManager(caller, ['mcp.manage'])
      const spec = await specToTry(caller, name, given)
      await tellTry(caller, name, spec)
      return trials.run(caller.tenant, () => tryServer(gateway, { caller, name, spec }))
    },
    refreshMcpServer: createRefresh(parts),
  }
}

function createRefresh(parts: McpAccessParts): ServerAccess['refreshMcpServer'] {
  const { servers, gateway, reload } = parts
  const restarts = createRestarts()
  return async (caller, name, { restart = false } = {}) => {
    requireManager(caller, ['mcp.manage'])
    const known = await servers.findUsable(caller, name)
    assertOwner(caller, known)
    if (!known.spec.enabled) throw switchedOff(known)
    // Servers of the configuration that are each tenant's own come with the tenant's tools.
    await reload(caller.tenant)
    const key = { tenant: caller.tenant, server: name }
    const look = () => gateway.refresh(key, caller.principal, () => reload(caller.tenant))
    const looked = restart
      ? restarts.join(key, async () => {
          await startAnew(parts, caller, known)
          return look()
        })
      : look()
    const status = await looked.catch((error: unknown) => {
      // It was started anew all the same; who has not signed in to it sees nobody else's account.
      if (!restart || !isToolError(error) || error.code !== 'sign_in_required') throw error
    })
    if (status !== undefined) return toMcpServer(await servers.find(caller, name), status, caller)
    await reload(caller.tenant)
    return showServer(parts, caller, name)
  }
}

/** Who wants a restart while one is under way gets that one: they would only end each other's. */
function createRestarts() {
  const underWay = new Map<string, Promise<ServerStatus>>()
  return {
    join({ tenant, server }: ServerKey, restart: () => Promise<ServerStatus>) {
      const place = `${tenant}/${server}`
      const joined = underWay.get(place)
      if (joined !== undefined) return joined
      const begun = restart().finally(() => underWay.delete(place))
      underWay.set(place, begun)
      return begun
    },
  }
}

async function startAnew(
  parts: McpAccessParts,
  caller: Caller,
  { name, isDeclared }: KnownMcpServer,
): Promise<void> {
  if (isDeclared) await parts.gateway.stop({ tenant: caller.tenant, server: name })
  else await markRestart(parts, caller, name)
}

/** All nodes start it anew: each finds a mark that it has not seen. */
async function markRestart(parts: McpAccessParts, caller: Caller, name: string): Promise<void> {
  await changeRules(parts, caller, async (draft) => {
    const rule = await draft.find('mcp-server', name)
    if (!isRecord(rule?.body)) throw serverNotFound(name)
    const restartedAt = new Date().toISOString()
    await draft.put('mcp-server', name, { body: { ...rule.body, restartedAt } })
    draft.tell('mcp.server.changed', { server: name, fields: ['restartedAt'] })
  })
}

function switchedOff({ name, isDeclared }: KnownMcpServer): ToolError {
  return new ToolError('conflict', `The MCP server ${name} is switched off`, {
    fix: isDeclared ? 'Enable it in the configuration.' : `toolcrib mcp enable ${name}`,
  })
}

function wordsOfServer({ name, title, url, command, args = [] }: McpServer) {
  return [name, title, url, command, ...args]
}

/** Each may start a program: of one tenant few at once, whoever asks. */
function createTrials() {
  const running = new Map<string, number>()
  return {
    async run<T>(tenant: string, work: () => Promise<T>): Promise<T> {
      const count = running.get(tenant) ?? 0
      if (count >= trialsAtOnce) {
        throw new ToolError(
          'rate_limited',
          `${trialsAtOnce} MCP servers are being tested already`,
          {
            fix: 'Wait until one of the tests is over.',
            retryable: true,
          },
        )
      }
      running.set(tenant, count + 1)
      try {
        return await work()
      } finally {
        const left = (running.get(tenant) ?? 1) - 1
        if (left > 0) running.set(tenant, left)
        else running.delete(tenant)
      }
    },
  }
}

/** One server with how it stands now. */
export async function showServer(
  { servers, gateway, wake }: McpAccessParts,
  caller: Caller,
  name: string,
) {
  await wake(caller.tenant)
  const status = gateway.findStatus({ tenant: caller.tenant, server: name })
  return toMcpServer(await servers.find(caller, name), status, caller)
}
