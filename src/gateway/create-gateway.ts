import { Agent } from 'undici'
import { ToolError } from '../core/errors.ts'
import type { ServerKey } from '../core/gateway/gateway-store.ts'
import type { McpServerSpec } from '../core/gateway/server-spec.ts'
import { canonicalJson } from '../core/pipeline/canonical-json.ts'
import { defaultTenant } from '../core/rules/tenant.ts'
import type { Gateway, ServerOwner } from './gateway.ts'
import type { GatewayPorts } from './ports.ts'
import { createServer, type Server } from './servers/create-server.ts'
import { createGatewayShelf } from './shelf/create-gateway-shelf.ts'

interface Held {
  server: Server
  spec: string
  detach(): void
}

/** Keeps the servers of all tenants. Nothing is started until somebody says which there are. */
export function createGateway(ports: GatewayPorts): Gateway {
  const own = new Agent({ connections: 128, keepAliveTimeout: 30_000 })
  const owners = new Map<string, Map<string, Held>>()
  const closing = new Set<Promise<void>>()
  let hasBegun = false
  const { seesTools, now } = ports
  const { shelf, attach } = createGatewayShelf({ serversOf, seesTools, now })

  function make(
    { tenant, server, isForEveryone }: ServerKey & ServerOwner,
    spec: McpServerSpec,
    given: GatewayPorts = ports,
  ): Server {
    const key = { tenant, server }
    const dispatcher = ports.dispatcherFor?.(key) ?? own
    return createServer({ key, isForEveryone, spec, ports: given, dispatcher })
  }
  function end(held: Held): void {
    held.detach()
    const ended = held.server.close().catch(() => undefined)
    closing.add(ended)
    void ended.then(() => closing.delete(ended))
  }
  function setServers(owner: ServerOwner, servers: Readonly<Record<string, McpServerSpec>>): void {
    const before = owners.get(ownerName(owner)) ?? new Map<string, Held>()
    const after = new Map<string, Held>()
    for (const [name, spec] of Object.entries(servers)) {
      const text = canonicalJson(spec)
      const known = before.get(name)
      if (known?.spec === text) {
        after.set(name, known)
        before.delete(name)
        continue
      }
      const server = make({ ...owner, server: name }, spec)
      after.set(name, { server, spec: text, detach: attach(server) })
      if (hasBegun) server.start()
    }
    for (const held of before.values()) end(held)
    if (after.size > 0) owners.set(ownerName(owner), after)
    else owners.delete(ownerName(owner))
  }
  const heldBy = (owner: ServerOwner) => [...(owners.get(ownerName(owner))?.values() ?? [])]

  /** Of one name, everybody's. */
  function serversOf(tenant: string): Server[] {
    const everyone = heldBy({ tenant: defaultTenant, isForEveryone: true })
    const others = heldBy({ tenant, isForEveryone: false })
    const taken = new Set(everyone.map(({ server }) => server.facts.key.server))
    return [...everyone, ...others.filter(({ server }) => !taken.has(server.facts.key.server))]
      .map(({ server }) => server)
      .sort((left, right) => (left.facts.key.server < right.facts.key.server ? -1 : 1))
  }
  const find = ({ tenant, server }: ServerKey) =>
    serversOf(tenant).find(({ facts }) => facts.key.server === server)

  function need(key: ServerKey): Server {
    const server = find(key)
    if (server !== undefined) return server
    throw new ToolError(
      'not_found',
      `There is no MCP server ${JSON.stringify(key.server.slice(0, 100))}`,
    )
  }
  return {
    setServers,
    begin() {
      if (hasBegun) return
      hasBegun = true
      for (const held of owners.values()) held.forEach(({ server }) => server.start())
    },
    async toolsOf(owner) {
      const lists = await Promise.all(heldBy(owner).map(({ server }) => server.tools()))
      return lists.flat()
    },
    statusOf: (tenant) => serversOf(tenant).map((server) => server.status()),
    findStatus: (key) => find(key)?.status(),
    async tryOut(key, spec, principal) {
      const owned = { ...key, isForEveryone: false }
      const server = make(owned, { ...spec, enabled: true }, withoutTraces(ports))
      try {
        await server.refresh(principal)
        await server.tools()
        return server.status()
      } finally {
        await server.close()
      }
    },
    async refresh(key, principal) {
      const server = need(key)
      await server.refresh(principal)
      await server.tools()
      return server.status()
    },
    stop: async (key, principal) => need(key).stop(principal),
    shelf,
    counts() {
      const all = [...owners.values()].flatMap((held) => [...held.values()])
      const states = all.map(({ server }) => server.status())
      const inState = (state: string) => states.filter((status) => status.state === state).length
      return {
        servers: states.length,
        connected: inState('connected'),
        down: inState('down'),
        quarantined: states
          .flatMap(({ tools }) => tools)
          .filter(({ state }) => state === 'quarantined').length,
      }
    },
    async close() {
      for (const held of [...owners.values()].flatMap((some) => [...some.values()])) end(held)
      owners.clear()
      await Promise.all(closing)
      await own.close().catch(() => undefined)
    },
  }
}

/** For a server that is only looked at: nothing is known before, and nothing stays. */
function withoutTraces(ports: GatewayPorts): GatewayPorts {
  return {
    ...ports,
    store: {
      list: async () => [],
      find: async () => undefined,
      write: async () => undefined,
      forget: async () => false,
    },
    pins: { read: async () => new Map(), add: async () => undefined },
    tell: () => undefined,
    onChange: () => undefined,
  }
}

function ownerName({ tenant, isForEveryone }: ServerOwner): string {
  return isForEveryone ? '' : tenant
}
