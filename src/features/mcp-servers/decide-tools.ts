import type { Caller } from '../../core/kernel/call.ts'
import { ToolError } from '../../core/kernel/errors.ts'
import { toDefinition, toPinned } from '../../core/gateway/tool-definition.ts'
import {
  type DecidedTool,
  pinName,
  type ServerTool,
  type ToolDecision,
  type ToolPin,
  toolPinSchema,
} from '../../core/gateway/tool-pin.ts'
import { inPortions, mapInTurns } from '../../core/kernel/map-in-turns.ts'
import type { RuleDraft } from '../../core/rules/rule-store.ts'
import { isRecord } from '../../core/kernel/json/json-type.ts'
import type { KnownMcpServer } from './find-server.ts'
import { assertOwner, follow, type McpServerParts } from './parts.ts'

/** A hash that no definition has, so no version of the tool is accepted. */
const nothing = '0'.repeat(64)
/** The number written in one transaction, so that a server with thousands of tools does not block the store. */
const pinsAtOnce = 100

/** The current tools of a server. */
export function toolsOf(
  { gateway }: McpServerParts,
  { tenant }: Caller,
  server: string,
): readonly ServerTool[] {
  return gateway.findStatus({ tenant, server })?.tools ?? []
}

/** Bound to the reviewed definition: conflict if the tool now has another hash. */
export async function decideTool(
  parts: McpServerParts,
  caller: Caller,
  { server, ...decision }: ToolDecision & { server: string },
): Promise<ServerTool> {
  const { tool } = decision
  const fault = (await decide(parts, caller, { server, decisions: [decision] })).get(tool)
  if (fault !== undefined) throw fault
  const found = toolsOf(parts, caller, server).find((one) => one.name === tool)
  if (found === undefined) throw toolNotFound(server, tool)
  return found
}

interface Decisions {
  server: string
  decisions: readonly ToolDecision[]
}

/** The same for many tools: a failure does not affect the others. Results are in the order of the request. */
export async function decideTools(
  parts: McpServerParts,
  caller: Caller,
  { server, decisions }: Decisions,
): Promise<DecidedTool[]> {
  refuseTwice(decisions)
  const faults = await decide(parts, caller, { server, decisions })
  const states = new Map(toolsOf(parts, caller, server).map(({ name, state }) => [name, state]))
  return decisions.map(({ tool }) => toDecided(tool, states.get(tool), faults.get(tool)))
}

/** Returns why some were not changed. */
async function decide(
  parts: McpServerParts,
  caller: Caller,
  { server, decisions }: Decisions,
): Promise<Map<string, ToolError>> {
  const known = await parts.servers.findUsable(caller, server)
  assertOwner(caller, known)
  const listed = await readDefinitions(parts, known)
  const faults = new Map<string, ToolError>()
  const sound = await mapInTurns(decisions, ({ tool, hash, verdict }) => {
    const definition = listed.get(tool)
    const isSeen = definition !== undefined && parts.hashDefinition(definition) === hash
    if (isSeen) return [{ server, tool, hash, verdict, definition }]
    faults.set(tool, definition ? changedAgain(server, tool) : toolNotFound(server, tool))
    return []
  })
  const owner = { tenant: known.owner, principal: caller.principal }
  await writePins(parts, owner, sound.flat())
  return faults
}

interface SoundDecision extends ToolDecision {
  server: string
  definition: ToolPin['definition']
}

async function writePins(
  parts: McpServerParts,
  owner: Pick<Caller, 'tenant' | 'principal'>,
  decisions: readonly SoundDecision[],
): Promise<void> {
  await inPortions(decisions, pinsAtOnce, (some) =>
    parts.store.rules.change(owner.tenant, owner.principal, async (draft) => {
      for (const decision of some) await writePin(draft, decision)
    }),
  )
  if (decisions.length > 0) await follow(parts, owner.tenant)
}

async function writePin(
  draft: RuleDraft,
  { server, tool, hash, verdict, definition }: SoundDecision,
): Promise<void> {
  const name = pinName(server, tool)
  const pin: ToolPin =
    verdict === 'accept'
      ? { hash, definition: toPinned(definition), by: 'accepted' }
      : {
          hash: nothing,
          definition: await lastAccepted(draft, name),
          by: 'accepted',
          rejected: hash,
        }
  await draft.put('mcp-pin', name, { body: pin })
  const type = verdict === 'accept' ? 'mcp.server.tool_accepted' : 'mcp.server.tool_rejected'
  draft.tell(type, { server, tool, hash })
}

/** Kept after a rejection, to show the differences of the next version. */
async function lastAccepted(draft: RuleDraft, name: string): Promise<ToolPin['definition']> {
  const rule = await draft.find('mcp-pin', name)
  return toPinned(toolPinSchema.safeParse(rule?.body).data?.definition ?? {})
}

/** The definitions the server last listed, by name. */
async function readDefinitions(
  { store }: McpServerParts,
  { owner, name }: KnownMcpServer,
): Promise<Map<string, ToolPin['definition']>> {
  const stored = await store.gateway.find({ tenant: owner, server: name })
  const definitions = new Map<string, ToolPin['definition']>()
  for (const listed of stored?.tools ?? []) {
    const tool = isRecord(listed) ? listed['name'] : undefined
    // If two tools have the same name, the first is used.
    if (!isRecord(listed) || typeof tool !== 'string' || definitions.has(tool)) continue
    definitions.set(tool, toDefinition(listed))
  }
  return definitions
}

function toDecided(
  tool: string,
  state: DecidedTool['state'],
  fault: ToolError | undefined,
): DecidedTool {
  if (fault === undefined) return { tool, ...(state && { state }) }
  const { code, message, fix } = fault
  return { tool, ...(state && { state }), problem: { code, message, ...(fix && { fix }) } }
}

function refuseTwice(decisions: readonly ToolDecision[]): void {
  const seen = new Set<string>()
  for (const { tool } of decisions) {
    if (seen.has(tool)) {
      throw new ToolError('invalid_request', `${tool} is decided on twice`, {
        fix: 'Name every tool once.',
      })
    }
    seen.add(tool)
  }
}

function toolNotFound(server: string, tool: string): ToolError {
  return new ToolError(
    'not_found',
    `The MCP server ${server} has no tool ${JSON.stringify(tool.slice(0, 100))}`,
    { fix: `toolcrib mcp tools ${server} lists them.` },
  )
}

function changedAgain(server: string, tool: string): ToolError {
  return new ToolError('conflict', `${tool} has changed in the meantime`, {
    fix: `Review it again: toolcrib mcp tools ${server}`,
  })
}
