import type { EventPayloads } from '../events/event.ts'
import type { Caller, Decision } from '../kernel/call.ts'
import { ToolError } from '../kernel/errors.ts'
import { createUuid } from '../kernel/ids.ts'
import type { EventLog } from '../events/event-log.ts'
import { defaultTenant } from '../rules/tenant.ts'

/** Ids of refusals, as callers receive them. */
export const refusalIdPattern = /^ref_[0-9a-f]{32}$/

/** The rule that hides a tool from a caller; undefined if no tool has that name. */
export type Hiding = Pick<Decision, 'layer' | 'rule'> | undefined

/** Answers requests for missing tools. */
export interface Refusals {
  /**
   * Returns the same error for a missing tool and for one that this caller may not see, and records
   * it with the reason, so that its id can be explained to authorised users.
   */
  refuse(caller: Caller, tool: string, hiding: Hiding): Promise<ToolError>
  /**
   * The same error for a person who only reads about a tool: no call was refused, so nothing is
   * recorded.
   */
  answer(caller: Caller, tool: string, hiding: Hiding): Promise<ToolError>
  /** Called first for names that no tool has. */
  add(source: MissingTools): void
}

/**
 * Advice for a caller about a tool that is not available yet; undefined when they must not learn
 * that.
 */
export type MissingTools = (caller: Caller, tool: string) => Promise<ToolError | undefined>

/**
 * A caller that sends only such requests must not fill the log; beyond this its answers have no id.
 */
const perCallerAndMinute = 60
const minuteMs = 60_000
/** Callers are known people and keys, so this is reached only by a bug. */
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

/** The same message for a missing tool and for one that this caller may not see. */
export function toolNotFound(name: string, refusalId?: string): ToolError {
  const told = JSON.stringify(name.slice(0, maxNameChars))
  const why = refusalId === undefined ? 'explain' : `toolcrib explain ${refusalId}`
  return new ToolError('tool_not_found', `There is no tool ${told} for this caller`, {
    fix: `List or search the tools to see what is available; ${why} shows why a tool is not.`,
    ...(refusalId !== undefined && { details: { refusalId } }),
  })
}

/** Enough to repeat the decision later for the same caller. */
function toFacts(
  caller: Caller,
  tool: string,
  hiding: Hiding,
): Omit<EventPayloads['call.refused'], 'refusalId'> {
  const { runtime, parents = [], permissions, tenant } = caller
  // A tool that belongs to other tenants does not exist here, even for readers of the log.
  const known = hiding?.layer === 'tenant' && tenant !== defaultTenant ? undefined : hiding
  const facts: ReturnType<typeof toFacts> = {
    tool: tool.slice(0, maxNameChars).toWellFormed(),
    runtime,
    permissions: permissions.slice(0, maxPermissions),
    layer: known?.layer ?? 'registry',
    rule: known?.rule ?? 'no tool is registered under this name',
  }
  if (parents.length > 0) facts.parents = [...parents]
  if (caller.skill !== undefined) facts.skill = caller.skill
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
