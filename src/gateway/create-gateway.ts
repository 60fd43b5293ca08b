import type { Principal } from '../core/kernel/call.ts'
import { isToolError, ToolError } from '../core/kernel/errors.ts'
import type { ServerKey } from '../core/gateway/gateway-store.ts'
import type { McpServerSpec } from '../core/gateway/server-spec.ts'
import type { ServerStatus } from '../core/gateway/server-status.ts'
import { canonicalJson } from '../core/kernel/json/canonical-json.ts'
import { defaultTenant } from '../core/rules/tenant.ts'
import type { LibrarySource } from '../core/library/library-api.ts'
import type { OwnTool } from '../core/tenant-tables.ts'
import type {
  Gateway,
  GatewayCounts,
  ServerOwner,
  ServerSettings,
  ServerTrial,
} from '../core/gateway/gateway.ts'
import type { GatewayPorts } from './ports.ts'
import { createServer } from './servers/create-server.ts'
import { namesIn } from '../core/gateway/given-names.ts'
import { type ServerFacts, wayTo } from './upstream/server-facts.ts'
import type { Server } from './servers/server.ts'
import { withWayOut } from './servers/with-way-out.ts'
import { createGatewayLibrary } from './library/create-gateway-library.ts'

interface Held {
  server: Server
  spec: string
  detach(): void
}

interface Place extends ServerKey, ServerOwner, Pick<ServerFacts, 'predecessor'> {}

/** Keeps the servers of all tenants. Nothing starts until the list of servers is given. */
export function createGateway(ports: GatewayPorts): Gateway {
  return new ServerGateway(ports)
}

const everyone: ServerOwner = { tenant: defaultTenant, isForEveryone: true }

class ServerGateway implements Gateway {
  readonly library: LibrarySource
  readonly #ports: GatewayPorts
  readonly #owners = new Map<string, Map<string, Held>>()
  /** By place: who comes to it next waits. */
  readonly #closing = new Map<string, Promise<void>>()
  readonly #attach: (server: Server) => () => void
  #hasBegun = false

  constructor(ports: GatewayPorts) {
    this.#ports = ports
    const { library, attach } = createGatewayLibrary({
      serversOf: (tenant) => this.#serversOf(tenant),
      seesTools: (caller, server) => ports.seesTools(caller, server),
      now: ports.now,
    })
    this.library = library
    this.#attach = attach
  }

  begin(): void {
    if (this.#hasBegun) return
    this.#hasBegun = true
    for (const { server } of this.#all()) server.start()
  }

  setServers(owner: ServerOwner, servers: Readonly<Record<string, ServerSettings>>): void {
    const name = ownerName(owner)
    const before = this.#owners.get(name) ?? new Map<string, Held>()
    const after = new Map<string, Held>()
    for (const [server, spec] of Object.entries(servers)) {
      const known = before.get(server)
      before.delete(server)
      const stays = known !== undefined && wayTo(known.server.facts.spec) === wayTo(spec)
      if (known !== undefined && !stays) this.#end(known)
      after.set(server, stays ? adopt(known, spec) : this.#hold({ ...owner, server }, spec))
    }
    for (const held of before.values()) this.#end(held)
    if (after.size > 0) this.#owners.set(name, after)
    else this.#owners.delete(name)
  }

  async toolsOf(owner: ServerOwner): Promise<readonly OwnTool[]> {
    const lists = await Promise.all(this.#heldBy(owner).map(({ server }) => server.tools()))
    return lists.flat()
  }

  statusOf(tenant: string): ServerStatus[] {
    return this.#serversOf(tenant).map((server) => server.status())
  }

  findStatus(key: ServerKey): ServerStatus | undefined {
    return this.#find(key)?.status()
  }

  async tryOut(key: ServerKey, spec: McpServerSpec, principal?: Principal): Promise<ServerTrial> {
    const there = this.#findProgram(key, spec)
    if (there !== undefined && isSameWay(there.facts.spec, spec)) return tryLive(there, principal)
    const owned = { ...key, isForEveryone: false }
    const server = this.#make(owned, { ...spec, enabled: true }, withoutTraces(this.#ports))
    try {
      return await look(server, principal)
    } catch (error) {
      const told = withErrorOutput(withWayOut(error, spec), server.status())
      throw isRunning(there) ? besideItself(told, key) : told
    } finally {
      await server.close()
    }
  }

  async refresh(
    key: ServerKey,
    principal?: Principal,
    reload: () => Promise<unknown> = async () => undefined,
  ): Promise<ServerStatus> {
    const server = this.#need(key)
    // It may be restarted in the meantime, here or through another node: then the new one is asked.
    const isReplaced = () => ![undefined, server].includes(this.#find(key))
    const status = await look(server, principal).catch((error: unknown) => {
      if (isReplaced()) return undefined
      throw withWayOut(error, server.facts.spec)
    })
    await reload()
    if (status === undefined || isReplaced()) return this.refresh(key, principal, reload)
    return status
  }

  async stop(key: ServerKey, principal?: Principal): Promise<void> {
    await this.#need(key).stop(principal)
  }

  async renew(tenant: string): Promise<void> {
    const own = this.#heldBy({ tenant, isForEveryone: false }).map(({ server }) => server)
    const concerned = own.filter(({ facts }) => namesIn(facts.spec).secrets.length > 0)
    await Promise.all(concerned.map((server) => server.renew()))
  }

  counts(): GatewayCounts {
    const all = this.#all().map(({ server }) => server.status())
    const inState = (state: string) => all.filter((status) => status.state === state).length
    const tools = all.flatMap((status) => status.tools)
    return {
      servers: all.length,
      connected: inState('connected'),
      down: inState('down'),
      quarantined: tools.filter(({ state }) => state === 'quarantined').length,
    }
  }

  async close(): Promise<void> {
    for (const held of this.#all()) this.#end(held)
    this.#owners.clear()
    await Promise.all(this.#closing.values())
  }

  #make({ tenant, server, ...more }: Place, spec: McpServerSpec, ports: GatewayPorts): Server {
    const key = { tenant, server }
    const dispatcher = () => ports.dispatcherFor(key, spec)
    return createServer({ ...more, key, spec, ports, dispatcher })
  }

  #hold(place: Place, spec: McpServerSpec): Held {
    const predecessor = this.#closing.get(placeName(place))
    const server = this.#make({ ...place, predecessor }, spec, this.#ports)
    if (this.#hasBegun) server.start()
    return { server, spec: canonicalJson(spec), detach: this.#attach(server) }
  }

  #end({ server, detach }: Held): void {
    detach()
    const name = placeName({ ...server.facts, ...server.facts.key })
    const before = this.#closing.get(name)
    const ended = server
      .close()
      .catch(() => undefined)
      .then(() => before)
    this.#closing.set(name, ended)
    void ended.then(() => this.#closing.get(name) === ended && this.#closing.delete(name))
  }

  #all(): Held[] {
    return [...this.#owners.values()].flatMap((held) => [...held.values()])
  }

  #heldBy(owner: ServerOwner): Held[] {
    return [...(this.#owners.get(ownerName(owner))?.values() ?? [])]
  }

  /** By name; of one name, everybody's. */
  #serversOf(tenant: string): Server[] {
    const shared = this.#heldBy(everyone).map(({ server }) => server)
    const own = this.#heldBy({ tenant, isForEveryone: false }).map(({ server }) => server)
    const nameOf = ({ facts }: Server) => facts.key.server
    const taken = new Set(shared.map(nameOf))
    return [...shared, ...own.filter((server) => !taken.has(nameOf(server)))].sort((left, right) =>
      nameOf(left) < nameOf(right) ? -1 : 1,
    )
  }

  #find({ tenant, server }: ServerKey): Server | undefined {
    return this.#serversOf(tenant).find(({ facts }) => facts.key.server === server)
  }

  /** The program that runs under this name, where one is wanted. */
  #findProgram(key: ServerKey, { command }: McpServerSpec): Server | undefined {
    const there = command === undefined ? undefined : this.#find(key)
    const { facts } = there ?? {}
    const isOwn = facts?.key.tenant === key.tenant && facts.spec.enabled
    return isOwn && facts.spec.command !== undefined ? there : undefined
  }

  #need(key: ServerKey): Server {
    const server = this.#find(key)
    if (server !== undefined) return server
    const name = JSON.stringify(key.server.slice(0, 100))
    throw new ToolError('not_found', `There is no MCP server ${name}`)
  }
}

function adopt(held: Held, spec: McpServerSpec): Held {
  const text = canonicalJson(spec)
  if (text === held.spec) return held
  held.server.adopt(spec)
  return { ...held, spec: text }
}

async function look(server: Server, principal: Principal | undefined): Promise<ServerStatus> {
  await server.refresh(principal)
  await server.tools()
  return server.status()
}

/** When either was last restarted. */
function isSameWay(there: ServerSettings, wanted: McpServerSpec): boolean {
  const way = (spec: ServerSettings) => wayTo({ ...spec, enabled: true, restartedAt: undefined })
  return way(there) === way(wanted)
}

/** A program may hold what there is only one of: a port, a file, a lock. */
async function tryLive(server: Server, principal: Principal | undefined): Promise<ServerTrial> {
  try {
    return { ...(await look(server, principal)), isLive: true }
  } catch (error) {
    throw withErrorOutput(withWayOut(error, server.facts.spec), server.status())
  }
}

function isRunning(server: Server | undefined): boolean {
  return server !== undefined && server.status().connections > 0
}

/** It may have failed for that alone. */
function besideItself(error: unknown, { server }: ServerKey): unknown {
  if (!isToolError(error)) return error
  const { code, message, retryable, issues, fix, details } = error
  const more = `The program of ${server} runs with its present settings, and this one was started beside it: if both need the same port, file or lock, test again after toolcrib mcp disable ${server}.`
  return new ToolError(code, message, {
    retryable,
    issues,
    details,
    fix: fix === undefined ? more : `${fix} ${more}`,
  })
}

/** For people trying out a server: other errors never contain a program's output. */
function withErrorOutput(error: unknown, { errorOutput }: ServerStatus): unknown {
  if (!isToolError(error) || errorOutput === undefined) return error
  const { code, message, retryable, issues, fix, details } = error
  const more = { retryable, issues, ...(fix !== undefined && { fix }) }
  return new ToolError(code, message, { ...more, details: { ...details, errorOutput } })
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
    pins: { read: async () => new Map(), add: async () => undefined, renew: async () => undefined },
    tell: () => undefined,
    onChange: () => undefined,
  }
}

function ownerName({ tenant, isForEveryone }: ServerOwner): string {
  return isForEveryone ? '' : tenant
}

function placeName({ server, ...owner }: ServerKey & ServerOwner): string {
  return `${ownerName(owner)}/${server}`
}
