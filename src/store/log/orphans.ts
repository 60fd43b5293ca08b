import type { StoredCall } from '../../core/call-log.ts'
import type { Engine, Statement, Value } from '../engine/engine.ts'
import { toStoreError } from '../engine/store-error.ts'
import { callSelection, toStoredCall } from './read-call-rows.ts'
import { cutOffShare, type NodePresence } from './node-presence.ts'
import { stepWake } from '../../core/pipeline/record/step-wake.ts'
import type { InputSeal } from '../../core/secrets/input-seal.ts'

/**
 * Takes over calls of dead nodes and calls that were given up. A row that another claimer holds is
 * skipped and a claimed one is ours, so each is returned once. The status stays as it was left,
 * because recovery must see whether the tool had begun. Calls that wait for people run nowhere and
 * have no node to lose; queued calls have a lease.
 */
export async function claimOrphans(
  engine: Engine,
  { presence, inputs }: { presence: NodePresence; inputs: InputSeal },
  limit: number,
): Promise<StoredCall[]> {
  const statement = engine.kind === 'pglite' ? claimFromOthers : claimFromSilent
  const values: Value[] = [presence.id, Math.max(0, Math.trunc(limit))]
  if (engine.kind === 'postgres') values.push(presence.timeoutMs, presence.lastSeen() ?? null)
  try {
    const rows = await engine.run(statement, values)
    if (rows.length > 0) engine.noteWrites(rows.length)
    return rows.map((row) => toStoredCall(row, inputs))
  } catch (error) {
    throw toStoreError(error)
  }
}

/** The folder's lock proves that every other node is dead. */
const claimFromOthers: Statement = {
  name: 'claim_from_others',
  text: claim(`node is distinct from $1`),
}

/**
 * Never our own: after a long pause this node finds itself silent, while its calls still run here.
 * And others' only while the store has seen us lately and as often as we know: a statement that was
 * held up by an outage runs when it is over, before the others could be seen again.
 */
const claimFromSilent: Statement = {
  name: 'claim_from_silent',
  text: claim(`(node is null or node <> $1
    and exists (select from nodes n where n.id = $1 and n.seen_at <= $4::timestamptz
      and n.seen_at > now() - make_interval(secs => $3::float8 / 1000 * ${cutOffShare}))
    and node not in (select n.id from nodes n
      where n.seen_at > now() - make_interval(secs => $3::float8 / 1000)))`),
}

function claim(isGone: string): string {
  return `with o as (select tenant, id from calls
      where settled_ms is null and status in ('queued', 'running') and queue is null and ${isGone}
      order by id limit $2 for update skip locked)
    update calls c set node = $1, is_claimed = true,
      parent_wake = case when c.parent_wake is null and position('"stepKey"' in c.facts) > 0
        then ${stepWake} else c.parent_wake end
    from o where c.tenant = o.tenant and c.id = o.id
    returning ${callSelection.replaceAll(/\b(tenant|id::text)\b/g, 'c.$1')}`
}
