import type { Principal } from '../../core/kernel/call.ts'
import { sql } from 'kysely'
import { usageEventTypes } from '../../core/usage/fold-usage.ts'
import type { UsageEvent, UsedCall } from '../../core/usage/fold-usage.ts'
import type { Engine } from '../engine/engine.ts'
import { parseCallId, toCallId } from './call-id.ts'

/** Tool and start of calls that end in these events and begin before them. */
export async function findUsedCalls(
  engine: Engine,
  tenant: string,
  events: readonly UsageEvent[],
): Promise<Map<string, UsedCall>> {
  const begun = new Set<string>()
  const wanted = new Set<string>()
  for (const { callId, type } of events) {
    if (callId === undefined || !usageEventTypes.has(type)) continue
    if (type === 'call.requested') begun.add(callId)
    else if (!begun.has(callId)) wanted.add(callId)
  }
  const streams = [...wanted].flatMap((callId) => parseCallId(callId) ?? [])
  if (streams.length === 0) return new Map()
  const { rows } = await sql<FoundCall>`
    select id::text, tool, started_ms,
      case when position('"onBehalfOf"' in facts) > 0 then facts end as facts
    from calls
    where tenant = ${tenant} and id = any (${`{${streams.join(',')}}`}::uuid[])`.execute(engine.db)
  return new Map(
    rows.map(({ id, tool, started_ms: startedMs, facts }) => [
      toCallId(id.replaceAll('-', '')),
      { tool, ...(startedMs !== null && { startedMs }), ...toBehalf(facts) },
    ]),
  )
}

interface FoundCall {
  id: string
  tool: string
  started_ms: number | null
  /** Where somebody may be acted for. */
  facts: string | null
}

/** Whom a call was made for, by the facts of its row. */
export function toBehalf(facts: string | null): Pick<UsedCall, 'onBehalfOf'> {
  if (facts === null) return {}
  const { onBehalfOf } = JSON.parse(facts) as { onBehalfOf?: Principal }
  return onBehalfOf === undefined ? {} : { onBehalfOf: `${onBehalfOf.kind}:${onBehalfOf.id}` }
}
