import type { Caller, Decision } from '../kernel/call.ts'
import { ToolError } from '../kernel/errors.ts'
import { createUuid } from '../kernel/ids.ts'
import type { JsonValue } from '../kernel/json.ts'
import type { EventLog } from '../events/event-log.ts'
import { defaultTenant } from '../rules/tenant.ts'

/** Ids of refusals, as callers get them. */
export const refusalIdPattern = /^ref_[0-9a-f]{32}$/

/** What keeps a tool from a caller; without one, no tool has that name. */
export type Hiding = Pick<Decision, 'layer' | 'rule'> | undefined

/** Answers for tools that are not there. */
export interface Refusals {
  /**
   * The one answer for a tool that is not there and for one that this caller may not see, on record
   * with its reason, so that its id can be explained to whoever may ask.
   */
  refuse(caller: Caller, tool: string, hiding: Hiding): Promise<ToolError>
  /** The same answer for a person who only reads about a tool: no call was refused, so none is recorded. */
  answer(caller: Caller, tool: string, hiding: Hiding): Promise<ToolError>
  /** Asked first about names that no tool has. */
  add(source: MissingTools): void
}

/** What a caller can do about a tool that is not there yet; undefined where that is not for them to know. */
export type MissingTools = (caller: Caller, tool: string) => Promise<ToolError | undefined>

/** A caller that asks for nothing else must not fill the log; beyond this its answers have no id. */
const perCallerAndMinute = 60
const minuteMs = 60_000
/** Callers are known people and keys, so this is only reached by mistake. */
const callersAtMost = 10_000
const maxNameChars = 200
const maxPermissions = 100

export function createRefusals(
  { events, now }: { events: Pick<EventLog, 'record'>; now(): number },
  onWarning: (message: string) => void,
): Refusals {
  const mayRecord = createMeter(now)
  const sources: MissingTools[] = []
  const findKnown = async (caller: Caller, tool: string, hiding: Hiding) => {
    for (const source of hiding === undefined ? sources : []) {
      const known = await source(caller, tool)
      if (known !== undefined) return known
    }
    return undefined
  }
  return {
    add: (source) => void sources.push(source),
    async answer(caller, tool, hiding) {
      return (await findKnown(caller, tool, hiding)) ?? toolNotFound(tool)
    },
    async refuse(caller, tool, hiding) {
      const known = await findKnown(caller, tool, hiding)
      if (known !== undefined) return known
      if (!mayRecord(caller)) return toolNotFound(tool)
      const uuid = createUuid()
      const { tenant, principal, sessionId, agent } = caller
      const refusalId = `ref_${uuid}`
      const data = { refusalId, ...toFacts(caller, tool, hiding) }
      const event = { type: 'call.refused' as const, at: now(), data }
      try {
        await events.record([{ id: uuid, tenant, principal, sessionId, agent, events: [event] }])
        return toolNotFound(tool, refusalId)
      } catch (error) {
        onWarning(`A refusal could not be recorded: ${String(error)}`)
        return toolNotFound(tool)
      }
    },
  }
}

/** The same words for a tool that is not there and for one that this caller may not see. */
export function toolNotFound(name: string, refusalId?: string): ToolError {
  const told = JSON.stringify(name.slice(0, maxNameChars))
  const why = refusalId === undefined ? 'explain' : `toolcrib explain ${refusalId}`
  return new ToolError('tool_not_found', `There is no tool ${told} for this caller`, {
    fix: `List the tools, or search for them, to see what is there; ${why} says why a tool is not.`,
    ...(refusalId !== undefined && { details: { refusalId } }),
  })
}

/** Enough to decide again later for the same caller. */
function toFacts(caller: Caller, tool: string, hiding: Hiding): Record<string, JsonValue> {
  const { runtime, parents = [], permissions, tenant } = caller
  // A tool that other tenants have to themselves does not exist here, not even for who reads the log.
  const known = hiding?.layer === 'tenant' && tenant !== defaultTenant ? undefined : hiding
  const facts: Record<string, JsonValue> = {
    tool: tool.slice(0, maxNameChars).toWellFormed(),
    runtime,
    permissions: permissions.slice(0, maxPermissions),
    layer: known?.layer ?? 'registry',
    rule: known?.rule ?? 'no tool is registered under this name',
  }
  if (parents.length > 0) facts['parents'] = [...parents]
  if (caller.skill !== undefined) facts['skill'] = caller.skill
  return facts
}

function createMeter(now: () => number): (caller: Caller) => boolean {
  const counts = new Map<string, number>()
  let minute = 0
  return ({ tenant, principal }) => {
    const current = Math.floor(now() / minuteMs)
    if (current !== minute) counts.clear()
    minute = current
    const key = JSON.stringify([tenant, principal.kind, principal.id])
    const count = counts.get(key) ?? 0
    if (count >= perCallerAndMinute || counts.size >= callersAtMost) return false
    counts.set(key, count + 1)
    return true
  }
}
