import type { EraVerdict, KnownServer } from '../../core/gateway/gateway-store.ts'
import type { ToolPin } from '../../core/gateway/tool-pin.ts'
import type { JsonValue } from '../../core/kernel/json.ts'
import { mapInTurns } from '../../core/kernel/map-in-turns.ts'
import type { OwnTool } from '../../core/tenant-tables.ts'
import type { Tool } from '../../core/kernel/tool.ts'
import { type JudgedTool, judgeTools, type ReadTool, readTools } from '../tools/judge-tools.ts'
import { cleanWords } from '../tools/clean-words.ts'
import { toGatewayTool } from '../tools/to-gateway-tool.ts'
import type { LearnedTools } from './asking-tools.ts'
import { namesIn } from '../../core/gateway/given-names.ts'
import { listPages } from './list-pages.ts'
import type { Upstream } from '../upstream/open-upstream.ts'
import type { Opened } from './opened.ts'
import { fingerprintOf, type ServerFacts } from '../upstream/server-facts.ts'

/** The tools of a server as listed, and as made from that. */
export interface ServerLists {
  /** The stored list, read once. */
  load(): Promise<void>
  /** Asks the server and writes it down. True when something is different. */
  ask(opened: Opened): Promise<boolean>
  /** The current tools, after what was accepted. */
  tools(isDown: string | undefined): Promise<readonly OwnTool[]>
  judged(): readonly JudgedTool[]
  count(): number
  readonly verdict: EraVerdict | undefined
  readonly about: Upstream['about'] | undefined
  readonly listedAt: number | undefined
  /** Tools that the server has beyond those that are taken in: at least so many, when it listed them last. */
  readonly beyond: number
  readonly asking: LearnedTools
  /** The settings changed: tools are made again. */
  remake(): void
  noteVerdict(upstream: Upstream): void
  forgetVerdict(): void
}

type Execute = (tool: ReadTool) => Parameters<typeof toGatewayTool>[0]['execute']

interface MadeTool {
  from: ReadTool
  tool: Tool
  fault?: string
}

export function createServerLists(facts: ServerFacts, execute: Execute): ServerLists {
  return new KnownLists(facts, execute)
}

class KnownLists implements ServerLists {
  readonly #facts: ServerFacts
  readonly #execute: Execute
  readonly #secrets: readonly string[]
  readonly #made = new Map<string, MadeTool>()
  #read: readonly ReadTool[] = []
  #judged: readonly JudgedTool[] = []
  #known: Omit<KnownServer, 'tenant' | 'server'>
  #loading: Promise<void> | undefined
  #beyond = 0

  constructor(facts: ServerFacts, execute: Execute) {
    this.#facts = facts
    this.#execute = execute
    this.#secrets = namesIn(facts.spec).secrets
    this.#known = { fingerprint: fingerprintOf(facts.spec) }
  }

  readonly asking: LearnedTools = {
    has: (tool) => this.#known.asking?.includes(tool) === true,
    add: (tool) => void this.#learn(tool),
  }

  get verdict(): EraVerdict | undefined {
    return this.#known.verdict
  }

  get about(): Upstream['about'] | undefined {
    return this.#known.about as Upstream['about'] | undefined
  }

  get listedAt(): number | undefined {
    return this.#known.listedAt
  }

  get beyond(): number {
    return this.#beyond
  }

  judged(): readonly JudgedTool[] {
    return this.#judged
  }

  count(): number {
    return this.#read.length
  }

  load(): Promise<void> {
    this.#loading ??= this.#load()
    return this.#loading
  }

  remake(): void {
    this.#made.clear()
  }

  noteVerdict({ verdict, about }: Upstream): void {
    this.#known = { ...this.#known, verdict, about: { ...about } }
  }

  forgetVerdict(): void {
    const { verdict: _verdict, ...rest } = this.#known
    this.#known = rest
  }

  async ask(opened: Opened): Promise<boolean> {
    const { ports, key } = this.#facts
    const { items, beyond } = await listTools(opened)
    if (beyond > 0) {
      ports.onWarning(
        `${key.server} has more tools than are taken in; at least ${beyond} are left out`,
      )
    }
    const isOther = beyond !== this.#beyond
    this.#beyond = beyond
    const before = new Map(this.#read.map((tool) => [tool.name, tool]))
    const wasListed = this.#known.tools !== undefined
    await this.#take(items)
    const { verdict, about } = opened.upstream
    const listed = { verdict, about: { ...about }, tools: items, listedAt: ports.now() }
    this.#known = { ...this.#known, ...listed }
    await ports.store.write({ ...this.#known, ...key })
    const isSame =
      before.size === this.#read.length &&
      this.#read.every((tool) => before.get(tool.name) === tool)
    return !wasListed || !isSame || isOther
  }

  async tools(isDown: string | undefined): Promise<readonly OwnTool[]> {
    this.#judged = await this.#judge()
    return this.#judged.flatMap((tool): OwnTool[] => {
      if (tool.state === 'left out') return []
      const quarantine =
        tool.state === 'quarantined' ? (tool.reason ?? 'it is set aside') : undefined
      return [
        {
          tool: this.#make(tool).tool,
          ...(quarantine !== undefined && { quarantine }),
          ...(isDown !== undefined && { isDown }),
        },
      ]
    })
  }

  async #learn(tool: string): Promise<void> {
    const { ports, key } = this.#facts
    if (this.asking.has(tool)) return
    this.#known = { ...this.#known, asking: [...(this.#known.asking ?? []), tool] }
    await ports.store.write({ ...this.#known, ...key }).catch((error: unknown) => {
      ports.onWarning(`That ${tool} of ${key.server} asks could not be recorded: ${String(error)}`)
    })
  }

  async #load(): Promise<void> {
    const { ports, key } = this.#facts
    const stored = await ports.store.find(key)
    if (stored?.fingerprint !== this.#known.fingerprint || this.#known.tools !== undefined) return
    this.#known = stored
    await this.#take(stored.tools ?? [])
  }

  async #take(listed: readonly JsonValue[]): Promise<void> {
    const { ports, key } = this.#facts
    const before = new Map(this.#read.map((tool) => [tool.name, tool]))
    const { tools, nameless } = await readTools(listed, before)
    this.#read = tools
    if (nameless > 0) ports.onWarning(`${nameless} tools of ${key.server} have no name`)
  }

  /** The same tool while its definition is the same: what is made of it elsewhere can be kept. */
  #make(read: ReadTool): MadeTool {
    const before = this.#made.get(read.name)
    if (before?.from.hash === read.hash && before.from.localName === read.localName) return before
    const { key, spec } = this.#facts
    const { localName, definition } = read
    const making = { server: key.server, spec, localName, definition, secrets: this.#secrets }
    const made = { from: read, ...toGatewayTool({ ...making, execute: this.#execute(read) }) }
    this.#made.set(read.name, made)
    return made
  }

  async #judge(): Promise<readonly JudgedTool[]> {
    const { spec, ports, key } = this.#facts
    const pins = spec.pin ? await ports.pins.read(key) : new Map<string, ToolPin>()
    const judged = judgeTools(this.#read, spec, pins)
    const all = await mapInTurns(judged, (tool): JudgedTool => {
      const fault = tool.state === 'left out' ? undefined : this.#make(tool).fault
      // The cause found while reading explains more than its consequence.
      if (fault === undefined || tool.fault !== undefined) return tool
      const { fresh: _fresh, renewed: _renewed, ...rest } = tool
      return { ...rest, state: 'quarantined', reason: fault }
    })
    const fresh = all.flatMap((tool) => (tool.fresh ? [[tool.name, tool.fresh] as const] : []))
    if (fresh.length > 0) await ports.pins.add(key, new Map(fresh))
    const renewed = all.flatMap((tool) =>
      tool.renewed ? [[tool.name, tool.renewed] as const] : [],
    )
    if (renewed.length > 0) await ports.pins.renew(key, new Map(renewed))
    this.#tellQuarantined(all)
    return all
  }

  #tellQuarantined(now: readonly JudgedTool[]): void {
    const { ports, key } = this.#facts
    const before = new Map(this.#judged.map(({ name, reason }) => [name, reason]))
    for (const { name, state, reason = '', differences } of now) {
      if (state !== 'quarantined' || before.get(name) === reason) continue
      // If nothing was accepted, everything is new, including the name: that is not a change.
      const isChange = differences?.some(({ path }) => path === '/name') === false
      const changed = isChange && differences.map(({ path }) => path).slice(0, 50)
      ports.tell(key.tenant, 'mcp.server.tool_quarantined', {
        server: key.server,
        tool: name.slice(0, 200),
        reason: reason.slice(0, 500),
        ...(changed && { changed }),
      })
    }
  }
}

async function listTools({ upstream, redactor }: Opened) {
  if (upstream.capabilities['tools'] === undefined) return { items: [], beyond: 0 }
  const pages = await listPages(upstream, { method: 'tools/list', member: 'tools' })
  return { ...pages, items: pages.items.map((item) => cleanWords(item, redactor)) }
}
