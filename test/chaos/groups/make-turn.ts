import { setTimeout as sleep } from 'node:timers/promises'
import type { Crib } from '../../../src/app/crib.ts'
import type { Random } from '../random.ts'
import type { createGroupJournal } from './group-journal.ts'

/** The kind of continuation that every group node knows. */
export const turnKind = 'chaos.turn'

export interface TurnOptions {
  crib: Crib
  random: Random
  note: ReturnType<typeof createGroupJournal>
  /** Never given twice: what its calls are to do begins with it. */
  name: string
}

const tenant = 'default'
const members = [
  'chaos.look',
  'chaos.put',
  'chaos.write',
  'chaos.job',
  'chaos.sync',
  'chaos.sync',
  'chaos.hand-over',
  'chaos.careful',
] as const

/** What an agent does in a turn: some calls at once, then it waits for all of them, or leaves that to whoever continues. */
export async function makeTurn({ crib, random, note, name }: TurnOptions): Promise<void> {
  const { groups } = crib
  const deadlineAt = random.chance(0.9) ? Date.now() + random.between(2000, 9000) : undefined
  const continuation = { kind: turnKind, data: { name } }
  const groupId = await groups.create({ tenant, continuation, deadlineAt })
  const made = Array.from({ length: random.between(0, 5) }, (_, place) =>
    crib.call(random.pick(members), toInput(`${name}/${place}`, random), { groupId }),
  )
  // Sealed before, while or after its calls are made and end.
  if (random.chance(0.7)) await Promise.all(made)
  if (random.chance(0.6)) await sealInTime(groups, groupId)
  else await waitHere({ groups, groupId, note, deadlineMs: random.between(500, 8000) })
  await Promise.all(made)
}

function toInput(operation: string, random: Random) {
  const longest = random.chance(0.2) ? 2500 : 30
  return { operation, beforeMs: random.between(0, longest), afterMs: random.between(0, longest) }
}

/** A store that is away is asked again for a while; after that the deadline seals. */
async function sealInTime(groups: Crib['groups'], groupId: string): Promise<void> {
  for (let tries = 1; ; tries += 1) {
    try {
      await groups.seal(tenant, groupId)
      return
    } catch (error) {
      if (tries === 5) throw error
      await sleep(500)
    }
  }
}

async function waitHere({
  groups,
  groupId,
  note,
  deadlineMs,
}: Pick<Crib, 'groups'> &
  Pick<TurnOptions, 'note'> & { groupId: string; deadlineMs: number }): Promise<void> {
  note({ what: 'wait', groupId })
  try {
    const { results } = await groups.waitFor(tenant, groupId, { deadlineMs })
    note({ what: 'went-on', groupId, results: results.map(({ callId }) => String(callId)) })
  } catch (error) {
    note({ what: 'gave-up', groupId, reason: String(error) })
  }
}
