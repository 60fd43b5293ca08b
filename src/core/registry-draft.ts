import { ToolError } from './kernel/errors.ts'
import { isToolName } from './kernel/names.ts'
import type { SecretProbes } from './kernel/secret-probe.ts'
import type { Pack, Tool, ToolContract } from './kernel/tool.ts'
import { toToolVersion } from './tool-version.ts'

/** The facts that a pack adds to its tools. A `Pack` has them. */
export type PackFacts = Omit<Pack, 'tools'>

/** Where a tool was defined. Without a pack, it belongs to the one its contract names. */
export interface ToolPlace {
  pack?: PackFacts
  file?: string
  /** A digest of its code, if the source knows it. */
  codeDigest?: string
  /** Of a source that keeps versions; otherwise it is computed from the contract and the code. */
  version?: string
}

/** A tool in the registry. A change creates a new one, so results may be cached by identity. */
export interface RegisteredTool {
  readonly tool: Tool
  /** The tool's own, so that an entry can be passed to policy directly. */
  readonly contract: ToolContract
  readonly pack: string
  /** Hidden until a tenant enables the pack. */
  readonly packOptIn: boolean
  readonly groups: readonly string[]
  /** Checks for its secrets, its own or its pack's. */
  readonly probes: SecretProbes
  /** Why it is quarantined; absent if it isn't. */
  readonly quarantine?: string
  /** Why its server can't be reached; absent if it can. */
  readonly isDown?: string
  readonly file?: string
  /** Of its contract, and its code if known: recorded with every call. Computed on first use. */
  readonly version: string
  /** In the current table of all tools: another tool may change it. */
  readonly wireName: string
}

export type RegistryChange =
  /** Refused when the name is taken. */
  | { type: 'register'; tool: Tool; origin?: ToolPlace }
  /** Replaces the tool with this name, if any, and ends its quarantine. */
  | { type: 'replace'; tool: Tool; origin?: ToolPlace }
  | { type: 'remove'; name: string }
  /** Without a reason the quarantine ends. */
  | { type: 'quarantine'; name: string; reason: string | undefined }
  /**
   * Its server can't be reached, or, without a reason, can again. Not an event: the server reports
   * it.
   */
  | { type: 'down'; name: string; reason: string | undefined }

/** The effect of an update; several changes of one tool in one update are one event. */
export interface RegistryEvent {
  type: 'tool.registered' | 'tool.changed' | 'tool.removed' | 'tool.quarantined'
  name: string
}

/** One entry of the registry. */
export interface RegistrySlot {
  readonly entry: RegisteredTool
  readonly origin: ToolPlace
}

interface RegistryState {
  slots: Map<string, RegistrySlot>
  aliases: Map<string, string>
  toWire: (name: string) => string | undefined
}

/**
 * Changes collected outside the registry: a refused one leaves it untouched, `commit` applies all
 * at once.
 */
export function createDraft(state: RegistryState) {
  const slots = createOverlay(state.slots)
  const aliases = createOverlay(state.aliases)

  const put = (tool: Tool, origin: ToolPlace) => {
    const { name } = tool.contract
    if (!isToolName(name)) throw invalidName(name, origin)
    claim(name, name, origin)
    drop(name)
    for (const alias of tool.contract.aliases) {
      if (alias !== name) claim(alias, name, origin)
      if (alias !== name) aliases.set(alias, name)
    }
    slots.set(name, { entry: toEntry({ tool, origin }, state.toWire), origin })
  }

  /**
   * Only its own tool may use a name or alias, so that no call is ever silently redirected to
   * another tool. Built-in tools leave their aliases to tools of yours: they are names of other
   * systems, which yours may have as well.
   */
  const claim = (wanted: string, name: string, origin: ToolPlace) => {
    const holder = aliases.get(wanted) ?? wanted
    const slot = holder === name ? undefined : slots.get(holder)
    if (slot === undefined) return
    if (!leavesAlias(slot, holder, wanted)) throw nameTaken(wanted, slot, origin)
    aliases.set(wanted, undefined)
    slots.set(holder, withoutAlias(slot, wanted, state))
  }

  const drop = (name: string) => {
    for (const alias of slots.get(name)?.entry.tool.contract.aliases ?? []) {
      if (aliases.get(alias) === name) aliases.set(alias, undefined)
    }
    slots.set(name, undefined)
  }

  const mark = (name: string, slot: RegistrySlot, standing: Standing) => {
    const { tool, quarantine, isDown } = slot.entry
    const entry = toEntry({ ...slot, tool, quarantine, isDown, ...standing }, state.toWire)
    slots.set(name, { ...slot, entry })
  }

  const apply = (change: RegistryChange): void => {
    if (change.type === 'remove') return drop(change.name)
    if (change.type === 'quarantine') {
      const slot = slots.get(change.name)
      if (!slot) throw nothingToQuarantine(change.name)
      return mark(change.name, slot, { quarantine: change.reason })
    }
    if (change.type === 'down') {
      const slot = slots.get(change.name)
      return slot && mark(change.name, slot, { isDown: change.reason })
    }
    checkPlace(change, slots.get(change.tool.contract.name))
    return put(change.tool, change.origin ?? {})
  }

  /** `isChanged` also for changes without an event. */
  const commit = (): { events: RegistryEvent[]; isChanged: boolean } => {
    const changed = [...slots.changes].map(([name, after]) => {
      const types = toEventTypes(state.slots.get(name), after)
      const isChanged = types.length > 0 || isElsewhere(state.slots.get(name), after)
      if (isChanged) write(state.slots, name, after)
      return { isChanged, events: types.map((type) => ({ type, name })) }
    })
    for (const [alias, name] of aliases.changes) write(state.aliases, alias, name)
    const events = changed.flatMap((one) => one.events)
    return { events, isChanged: changed.some((one) => one.isChanged) }
  }

  return { apply, commit }
}

function nothingToQuarantine(name: string): ToolError {
  return new ToolError('tool_not_found', `There is no tool ${name} to quarantine`)
}

function leavesAlias({ entry }: RegistrySlot, name: string, wanted: string): boolean {
  return name !== wanted && entry.contract.source === 'builtin'
}

/** Rules that name the alias are then about the other tool alone. */
function withoutAlias(slot: RegistrySlot, alias: string, { toWire }: RegistryState): RegistrySlot {
  const { tool, quarantine, isDown } = slot.entry
  const aliases = tool.contract.aliases.filter((name) => name !== alias)
  const contract = Object.freeze({ ...tool.contract, aliases })
  const entry = toEntry({ ...slot, tool: { ...tool, contract }, quarantine, isDown }, toWire)
  return { ...slot, entry }
}

/** A registered tool must be new; a replaced one must exist. */
function checkPlace(
  { type, tool, origin = {} }: Extract<RegistryChange, { tool: Tool }>,
  there: RegistrySlot | undefined,
): void {
  const { name } = tool.contract
  if (type === 'replace' && !there) throw nothingToReplace(name)
  if (type === 'register' && there) throw nameTaken(name, there, origin)
}

function nothingToReplace(name: string): ToolError {
  return new ToolError('tool_not_found', `There is no tool ${name} to replace`, {
    fix: 'Register it instead.',
  })
}

interface Standing {
  quarantine?: string | undefined
  isDown?: string | undefined
}

/** True for the same tool whose server went down or came back. */
function isElsewhere(before: RegistrySlot | undefined, after: RegistrySlot | undefined): boolean {
  return before?.entry.isDown !== after?.entry.isDown
}

/** The entry of a tool; its wire name is looked up when it is read. */
export function toEntry(
  held: Standing & { tool: Tool; origin: ToolPlace },
  toWire: RegistryState['toWire'],
): RegisteredTool {
  const { tool, origin, quarantine, isDown } = held
  const { name, pack } = tool.contract
  let lastWireName = name
  let version: string | undefined
  return Object.freeze({
    tool,
    contract: tool.contract,
    pack: origin.pack?.name ?? pack,
    packOptIn: origin.pack?.optIn ?? false,
    groups: origin.pack?.groups ?? [],
    probes: toProbes(tool, origin),
    ...(quarantine !== undefined && { quarantine }),
    ...(isDown !== undefined && { isDown }),
    ...(origin.file !== undefined && { file: origin.file }),
    get version() {
      return (version ??= origin.version ?? toToolVersion(tool.contract, origin.codeDigest))
    },
    // Read on demand: registering 10,000 tools one by one must not build 10,000 tables. A removed
    // tool keeps its last name.
    get wireName() {
      lastWireName = toWire(name) ?? lastWireName
      return lastWireName
    },
  })
}

/** Only for secrets that it declares: a pack may have checks for its other tools. */
function toProbes({ contract, checkSecrets }: Tool, { pack }: ToolPlace): SecretProbes {
  const all = { ...pack?.checkSecrets, ...checkSecrets }
  const own = contract.secrets.flatMap(({ key }) => {
    const probe = Object.hasOwn(all, key) ? all[key] : undefined
    return probe === undefined ? [] : [[key, probe] as const]
  })
  return Object.fromEntries(own)
}

function toEventTypes(
  before: RegistrySlot | undefined,
  after: RegistrySlot | undefined,
): RegistryEvent['type'][] {
  if (!after) return before ? ['tool.removed'] : []
  const { quarantine } = after.entry
  const isQuarantined = quarantine !== undefined && quarantine !== before?.entry.quarantine
  const quarantined = isQuarantined ? (['tool.quarantined'] as const) : []
  if (!before) return ['tool.registered', ...quarantined]
  if (!isSameTool(before, after)) return ['tool.changed', ...quarantined]
  if (isQuarantined) return ['tool.quarantined']
  return before.entry.quarantine === quarantine ? [] : ['tool.changed']
}

function isSameTool(one: RegistrySlot, other: RegistrySlot): boolean {
  return (
    one.entry.tool === other.entry.tool &&
    one.origin.pack === other.origin.pack &&
    one.origin.file === other.origin.file &&
    one.origin.codeDigest === other.origin.codeDigest
  )
}

function createOverlay<T>(below: ReadonlyMap<string, T>) {
  const changes = new Map<string, T | undefined>()
  return {
    changes,
    get: (key: string) => (changes.has(key) ? changes.get(key) : below.get(key)),
    set: (key: string, value: T | undefined) => void changes.set(key, value),
  }
}

function write<T>(map: Map<string, T>, key: string, value: T | undefined): void {
  if (value === undefined) map.delete(key)
  else map.set(key, value)
}

function nameTaken(name: string, held: RegistrySlot, origin: ToolPlace): ToolError {
  const heldBy = held.entry.tool.contract.name
  const alias = heldBy === name ? '' : ` (an alias of ${heldBy})`
  const first = toPlace(held.origin)
  const second = toPlace(origin)
  return new ToolError(
    'name_taken',
    `Two tools are named ${name}${alias}: one in ${first}, one in ${second}`,
    {
      fix: 'Rename one of the two, or remove it.',
      details: { name, first, second },
    },
  )
}

function invalidName(name: string, origin: ToolPlace): ToolError {
  return new ToolError(
    'invalid_tool',
    `${JSON.stringify(name)} in ${toPlace(origin)} is not a valid tool name`,
    {
      fix: 'Use lowercase words separated by dots, such as billing.refund, at most 100 characters.',
    },
  )
}

function toPlace(origin: ToolPlace): string {
  return origin.file ?? (origin.pack ? `pack ${origin.pack.name}` : 'code without a file')
}
