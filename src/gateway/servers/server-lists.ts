import type { EraVerdict, KnownServer } from '../../core/gateway/gateway-store.ts'
import type { JsonValue } from '../../core/json.ts'
import type { OwnTool } from '../../core/tenant-tables.ts'
import type { Tool } from '../../core/tool.ts'
import { type JudgedTool, judgeTools, type ReadTool, readTools } from '../tools/judge-tools.ts'
import { toGatewayTool } from '../tools/to-gateway-tool.ts'
import { namesIn } from './given-values.ts'
import { listPages } from './list-pages.ts'
import type { Upstream } from './open-upstream.ts'
import { fingerprintOf, type ServerFacts } from './server-facts.ts'

/** What is known of the tools of a server, and what is made of them. */
export interface ServerLists {
  /** What the store knows, once. */
  load(): Promise<void>
  /** Asks the server and writes it down. True when something is different. */
  ask(upstream: Upstream): Promise<boolean>
  /** The tools as they stand, by what was accepted of them. */
  tools(isDown: string | undefined): Promise<readonly OwnTool[]>
  judged(): readonly JudgedTool[]
  count(): number
  readonly verdict: EraVerdict | undefined
  readonly about: Upstream['about'] | undefined
  readonly listedAt: number | undefined
  noteVerdict(upstream: Upstream): void
  forgetVerdict(): void
}

type Execute = (tool: ReadTool) => Parameters<typeof toGatewayTool>[0]['execute']

export function createServerLists(facts: ServerFacts, execute: Execute): ServerLists {
  const { key, spec, ports } = facts
  const fingerprint = fingerprintOf(spec)
  const secrets = namesIn(spec).secrets
  const made = new Map<string, { from: ReadTool; tool: Tool; fault?: string }>()
  let read: readonly ReadTool[] = []
  let judged: readonly JudgedTool[] = []
  let known: Omit<KnownServer, 'tenant' | 'server'> = { fingerprint }
  let loading: Promise<void> | undefined

  async function load(): Promise<void> {
    const stored = await ports.store.find(key)
    if (stored === undefined || stored.fingerprint !== fingerprint || known.tools) return
    known = stored
    take(stored.tools ?? [])
  }
  function take(listed: readonly JsonValue[]): void {
    const before = new Map(read.map((tool) => [tool.name, tool]))
    const { tools, nameless } = readTools(listed, before)
    read = tools
    if (nameless > 0) ports.onWarning(`${nameless} tools of ${key.server} have no name`)
  }
  function make(tool: ReadTool): { tool: Tool; fault?: string } {
    const before = made.get(tool.name)
    if (before?.from === tool) return before
    const { server } = key
    const { localName, definition } = tool
    const result = toGatewayTool({
      server,
      spec,
      localName,
      definition,
      secrets,
      execute: execute(tool),
    })
    made.set(tool.name, { from: tool, ...result })
    return result
  }
  async function judge(): Promise<readonly JudgedTool[]> {
    const pins = spec.pin ? await ports.pins.read(key) : new Map()
    const all = judgeTools(read, spec, pins)
    const withFaults = all.map((tool): JudgedTool => {
      const { fault } = tool.state === 'left out' ? {} : make(tool)
      if (fault === undefined) return tool
      const { fresh: _fresh, ...rest } = tool
      return { ...rest, state: 'quarantined', reason: fault }
    })
    const fresh = withFaults.flatMap((tool) =>
      tool.fresh ? [[tool.name, tool.fresh] as const] : [],
    )
    if (fresh.length > 0) await ports.pins.add(key, new Map(fresh))
    tellQuarantined(withFaults)
    return withFaults
  }
  function tellQuarantined(now: readonly JudgedTool[]): void {
    const before = new Map(judged.map(({ name, reason }) => [name, reason]))
    for (const { name, state, reason, differences } of now) {
      if (state !== 'quarantined' || before.get(name) === reason) continue
      const paths = differences?.map(({ path }) => path).slice(0, 50)
      ports.tell(key.tenant, 'mcp.server.tool_quarantined', {
        server: key.server,
        tool: name.slice(0, 200),
        reason: (reason ?? '').slice(0, 500),
        ...(paths && { changed: paths }),
      })
    }
  }
  return {
    load: () => (loading ??= load()),
    async ask(upstream) {
      const hasTools = upstream.capabilities['tools'] !== undefined
      const wanted = { method: 'tools/list', member: 'tools' }
      const { items, isCut } = hasTools
        ? await listPages(upstream, wanted)
        : { items: [], isCut: false }
      if (isCut)
        ports.onWarning(`${key.server} has more tools than are taken in; the rest is left out`)
      const before = new Map(read.map((tool) => [tool.name, tool]))
      take(items)
      const isSame =
        known.tools !== undefined &&
        before.size === read.length &&
        read.every((tool) => before.get(tool.name) === tool)
      known = {
        ...known,
        verdict: upstream.verdict,
        about: { ...upstream.about },
        tools: items,
        listedAt: ports.now(),
      }
      await ports.store.write({ ...known, ...key })
      return !isSame
    },
    async tools(isDown) {
      judged = await judge()
      return judged.flatMap((tool): OwnTool[] => {
        if (tool.state === 'left out') return []
        return [
          {
            tool: make(tool).tool,
            ...(tool.state === 'quarantined' && { quarantine: tool.reason ?? 'it is set aside' }),
            ...(isDown !== undefined && { isDown }),
          },
        ]
      })
    },
    judged: () => judged,
    count: () => read.length,
    get verdict() {
      return known.verdict
    },
    get about() {
      return known.about as Upstream['about'] | undefined
    },
    get listedAt() {
      return known.listedAt
    },
    noteVerdict: ({ verdict, about }) => void (known = { ...known, verdict, about: { ...about } }),
    forgetVerdict() {
      const { verdict: _verdict, ...rest } = known
      known = rest
    },
  }
}
