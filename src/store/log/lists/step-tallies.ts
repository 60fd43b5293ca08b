import type { StepTally } from '../../../core/call-log.ts'
import type { CallStatus, WaitingFor } from '../../../core/kernel/call.ts'
import type { Engine, Statement, TextRow } from '../../engine/engine.ts'
import { toStoreError } from '../../engine/store-error.ts'
import { parseCallId, toCallId } from '../call-id.ts'
import { toStoredText } from '../stored-text.ts'

/** Counted in the database: a list of ten thousand items is some rows, without what they hold. */
export async function tallySteps(
  engine: Engine,
  tenant: string,
  callId: string,
): Promise<StepTally[]> {
  const uuid = parseCallId(callId)
  if (uuid === undefined) return []
  try {
    const rows = await engine.run(tally, [toStoredText(tenant), uuid])
    return rows.map(toTally)
  } catch (error) {
    throw toStoreError(error)
  }
}

/** Quotes within a text are escaped in JSON, so the names of fields are found nowhere else. */
const tally: Statement = {
  name: 'tally_steps',
  text: `with made as (
      select substring(facts from ',"stepKey":"([^"./~]+(?:/[0-9]+)?)') as place,
        substring(facts from ',"itemCount":([0-9]+)')::int as items,
        id, status, waiting_for, tool, requested_ms, settled_ms
      from calls where tenant = $1 and parent_id = $2::uuid),
    latest as (select distinct on (place) * from made where place is not null
      order by place, id desc)
    select split_part(place, '/', 1), status, waiting_for, tool, count(*)::text, max(items)::text,
      min(replace(id::text, '-', '')), min(requested_ms)::text, max(settled_ms)::text
    from latest group by 1, 2, 3, 4`,
}

function toTally(row: TextRow): StepTally {
  const [step, status, waitingFor, tool, count, items, id, firstMs, lastMs] = row
  return {
    step: step ?? '',
    status: status as CallStatus,
    ...(status === 'waiting' && waitingFor != null && { waitingFor: waitingFor as WaitingFor }),
    tool: tool ?? '',
    count: Number(count),
    ...(items != null && { itemCount: Number(items) }),
    callId: toCallId(id ?? ''),
    firstMs: Number(firstMs),
    ...(lastMs != null && { lastMs: Number(lastMs) }),
  }
}
