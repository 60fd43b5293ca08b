// A node that uses Toolcrib as a library: it makes groups of calls on the fleet's database, one after
// the other, and goes on with whatever groups have settled, its own and others'.
import { existsSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { createCrib } from '../../../src/app/create-crib.ts'
import { createRandom } from '../random.ts'
import { createGroupJournal } from './group-journal.ts'
import { makeTurn, turnKind } from './make-turn.ts'

const makersAtOnce = 2
const thinkMs = 300

const { values } = parseArgs({
  options: {
    data: { type: 'string', default: '' },
    database: { type: 'string', default: '' },
    tools: { type: 'string', default: '' },
    journal: { type: 'string', default: '' },
    /** While this file is there, no more groups are made. */
    stop: { type: 'string', default: '' },
    seed: { type: 'string', default: '0' },
  },
})
const { data, database, tools } = values
const random = createRandom(Number(values.seed))
const note = createGroupJournal(values.journal)
const crib = await createCrib({ data, database, tools: [tools] })

crib.groups.onContinue(turnKind, async ({ groupId, attempt, results }) => {
  note({
    what: 'continue',
    groupId,
    attempt,
    results: results.map(({ callId }) => String(callId)),
  })
  // Some are under way when something happens.
  await sleep(random.between(0, random.chance(0.1) ? 3000 : 30))
  if (!random.chance(0.05)) return
  note({ what: 'threw', groupId, attempt })
  throw new Error('Told to fail')
})
const life = new AbortController()
process.once('SIGTERM', () => life.abort())
process.stdout.write(`${JSON.stringify({ pid: process.pid })}\n`)

const makers = Array.from({ length: makersAtOnce }, async (_, number) => {
  for (let turn = 1; !life.signal.aborted; turn += 1) {
    const name = `g${process.pid}-${number}-${turn}`
    // The store may be away for a while; the next turn finds out.
    if (!existsSync(values.stop)) {
      await makeTurn({ crib, random, note, name }).catch(() => undefined)
    }
    await sleep(random.between(0, thinkMs), undefined, { signal: life.signal }).catch(
      () => undefined,
    )
  }
})
await new Promise<void>((resolve) =>
  life.signal.addEventListener('abort', () => resolve(), { once: true }),
)
// Who waits for a group lets go of it when the crib closes.
await Promise.all([crib.close(), ...makers])
