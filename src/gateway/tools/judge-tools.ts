import {
  coversMeta,
  fromPinned,
  toDefinition,
  toPinned,
} from '../../core/gateway/tool-definition.ts'
import type { McpServerSpec } from '../../core/gateway/server-spec.ts'
import type {
  LintFinding,
  PinDifference,
  ServerTool,
  ToolPin,
} from '../../core/gateway/tool-pin.ts'
import type { JsonValue } from '../../core/kernel/json.ts'
import { mapInTurns } from '../../core/kernel/map-in-turns.ts'
import { compileGlob } from '../../core/kernel/text/glob.ts'
import { isRecord } from '../../core/kernel/json/json-type.ts'
import type { JsonRecord } from '../wire/messages.ts'
import { deepest } from '../wire/too-deep.ts'
import { lintWords } from '../../core/gateway/lint-words.ts'
import { findParamHeaders } from './param-headers.ts'
import { findDifferences } from '../../core/gateway/find-differences.ts'
import { hashDefinition, hashWithoutMeta } from './tool-definition.ts'
import { toLocalNames } from './tool-names.ts'

/** A listed tool, looked at by itself. Kept while the list is the same: looking costs. */
export interface ReadTool {
  name: string
  localName: string
  definition: JsonRecord
  hash: string
  findings: readonly LintFinding[]
  /** Why it cannot be used even if accepted. */
  fault?: string
}

/**
 * Reads a list: one tool for every name, in the order of names. Tools without a name are counted
 * separately.
 */
export async function readTools(
  listed: readonly JsonValue[],
  known: ReadonlyMap<string, ReadTool> = new Map(),
): Promise<{ tools: ReadTool[]; nameless: number }> {
  const named = new Map<string, JsonRecord>()
  let nameless = 0
  for (const tool of listed) {
    const name = isRecord(tool) ? tool['name'] : undefined
    if (typeof name === 'string' && name !== '' && name.length <= 1000) {
      // Of two tools of one name nobody knows which is called; the first stands for both.
      if (!named.has(name)) named.set(name, tool as JsonRecord)
    } else nameless += 1
  }
  const names = [...named.keys()].sort()
  const local = toLocalNames(names)
  const tools = await mapInTurns(names, (name) => {
    const listed = named.get(name) ?? {}
    const definition = toDefinition(listed)
    const hash = hashDefinition(definition)
    const before = known.get(name)
    const localName = local.get(name) ?? name
    if (before?.hash === hash && before.localName === localName) return before
    const tool = readTool({ name, localName, definition, hash })
    return listed['isTooDeep'] === true ? { ...tool, fault: tooDeep } : tool
  })
  return { tools, nameless }
}

const tooDeep = `its definition is nested deeper than ${deepest} levels`

function readTool(tool: Pick<ReadTool, 'name' | 'localName' | 'definition' | 'hash'>): ReadTool {
  const headers = findParamHeaders(tool.definition['inputSchema'])
  return {
    ...tool,
    findings: lintWords(tool.definition),
    ...(typeof headers === 'string' && { fault: `its input schema is not valid: ${headers}` }),
  }
}

/** A tool with what operators and pins say about it. */
export interface JudgedTool extends ReadTool {
  state: ServerTool['state']
  reason?: string
  differences?: readonly PinDifference[]
  /** It is seen for the first time and may be used: what is to be pinned. */
  fresh?: ToolPin
  /** Its pin is of an earlier version that did not cover `_meta`: what takes its place. */
  renewed?: ToolPin
}

/** Decides about every tool. */
export function judgeTools(
  tools: readonly ReadTool[],
  spec: McpServerSpec,
  pins: ReadonlyMap<string, ToolPin | undefined>,
): JudgedTool[] {
  const isLeftOut = toFilter(spec)
  const holders = toHolders(pins)
  return tools.map((tool) => {
    const why = isLeftOut(tool)
    if (why !== undefined) return { ...tool, state: 'left out', reason: why }
    const bad = tool.fault
    if (bad !== undefined) return { ...tool, state: 'quarantined', reason: bad }
    return spec.pin ? judgeByPin(tool, pins, holders) : { ...tool, state: 'ready' }
  })
}

/** The tool that had this name when it was accepted. */
type Holders = (localName: string) => string | undefined

/** Looked up only where a tool is new. */
function toHolders(pins: ReadonlyMap<string, unknown>): Holders {
  let holders: Map<string, string> | undefined
  return (localName) => {
    holders ??= new Map([...toLocalNames([...pins.keys()])].map(([name, local]) => [local, name]))
    return holders.get(localName)
  }
}

function judgeByPin(
  tool: ReadTool,
  pins: ReadonlyMap<string, ToolPin | undefined>,
  holders: Holders,
): JudgedTool {
  const pin = pins.get(tool.name)
  if (pin !== undefined) return judgeKnown(tool, pin)
  if (pins.has(tool.name)) {
    return setAside(tool, 'its accepted definition cannot be read; accept it again')
  }
  return judgeNew(tool, holders(tool.localName))
}

function judgeKnown(tool: ReadTool, pin: ToolPin): JudgedTool {
  const isOld = !coversMeta(pin.definition)
  const hash = isOld ? hashWithoutMeta(tool.definition) : tool.hash
  if (pin.hash === hash) return toReady(tool, isOld ? pin : undefined)
  const accepted = fromPinned(pin.definition)
  if (pin.rejected !== undefined) {
    const isSame = pin.rejected === tool.hash || pin.rejected === hash
    const reason = isSame ? 'it was rejected' : 'it was rejected, and has changed since'
    return setAside(tool, reason, accepted)
  }
  const differences = findDifferences(accepted, tool.definition)
  const places = [...new Set(differences.map(({ path }) => path.split('/')[1] ?? ''))]
  const reason = `it has changed since it was accepted (${places.join(', ').slice(0, 200)}): accept or reject the change`
  return { ...tool, state: 'quarantined', reason, differences }
}

/** A tool that nothing is known of. `holder` had its name here before. */
function judgeNew(tool: ReadTool, holder: string | undefined): JudgedTool {
  if (holder !== undefined) {
    const other = JSON.stringify(holder.slice(0, 100))
    return setAside(tool, `its name here belonged to another tool, ${other}: accept or reject it`)
  }
  const hidden = tool.findings.find(({ kind }) => kind === 'hidden')
  if (hidden !== undefined) {
    const where = `${hidden.path} ${hidden.message}`
    return setAside(tool, `its text contains invisible characters (${where}): accept or reject it`)
  }
  const fresh: ToolPin = {
    hash: tool.hash,
    definition: toPinned(tool.definition),
    by: 'first-sight',
  }
  return { ...tool, state: 'ready', fresh }
}

/** Of a pin that did not cover `_meta`, today's is taken as seen for the first time. */
function toReady(tool: ReadTool, old: ToolPin | undefined): JudgedTool {
  if (old === undefined) return { ...tool, state: 'ready' }
  const renewed = { ...old, hash: tool.hash, definition: toPinned(tool.definition) }
  return { ...tool, state: 'ready', renewed }
}

/**
 * With the changes since it was last accepted, or all of it: the person who decides must see the
 * words.
 */
function setAside(tool: ReadTool, reason: string, accepted: JsonRecord = {}): JudgedTool {
  const changed = findDifferences(accepted, tool.definition)
  const differences = changed.length > 0 ? changed : findDifferences({}, tool.definition)
  return { ...tool, state: 'quarantined', reason, differences }
}

function toFilter({ allow, deny }: McpServerSpec): (tool: ReadTool) => string | undefined {
  const allowed = allow.map(compileGlob)
  const denied = deny.map(compileGlob)
  const fits = (globs: readonly ((text: string) => boolean)[], tool: ReadTool) =>
    globs.some((glob) => glob(tool.name) || glob(tool.localName))
  return (tool) => {
    if (fits(denied, tool)) return 'the settings of the server deny it'
    if (allowed.length > 0 && !fits(allowed, tool))
      return 'the settings of the server do not allow it'
    return undefined
  }
}
