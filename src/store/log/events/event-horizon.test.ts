import { expect, test } from 'vitest'
import type { Engine, TextRow } from '../../engine/engine.ts'
import { createHorizon } from './event-horizon.ts'

/** A database that answers the look at its transactions with these rows, one after the other. */
function answering(rows: readonly TextRow[]): Engine {
  const left = [...rows]
  const run = async () => left.splice(0, 1)
  return { kind: 'postgres', run } as unknown as Engine
}

test('the horizon never goes back, except in another cluster', async () => {
  const horizon = createHorizon(
    answering([
      // Another database holds 50 open, nobody here does.
      ['50', '100', '0', null],
      // A session has come that we may not look into: only the whole cluster's horizon is sure.
      ['50', '110', '1', null],
      ['50', '120', '0', '115'],
      ['50', '120', '0', '90,115'],
      // Restored from a backup: its transactions count from lower.
      ['40', '40', null, null],
      ['41', '42', '0', '41'],
    ]),
  )
  const seen: (string | null)[] = []
  for (let look = 0; look < 6; look++) seen.push(await horizon())
  expect(seen).toEqual(['100', '100', '115', '115', '40', '41'])
})

test('a look that answers late does not take the horizon back', async () => {
  const late = Promise.withResolvers<TextRow[]>()
  const answers = [late.promise, Promise.resolve([['100', '100', null, null]])]
  const run = () => answers.shift()
  const horizon = createHorizon({ kind: 'postgres', run } as unknown as Engine)
  const first = horizon()
  expect(await horizon()).toBe('100')
  late.resolve([['90', '90', null, null]])
  expect(await first).toBe('100')
})

test('an embedded database is asked by the reading statement itself', async () => {
  expect(await createHorizon({ ...answering([]), kind: 'pglite' })()).toBeNull()
})
