import { expect, test } from 'vitest'
import { aWorkspace } from './a-workspace.fixture.ts'
import { raceAgainstSwaps } from './escape.fixture.ts'

test('swapping a folder and a link never leads outside', async () => {
  const isRoot = process.getuid?.() === 0
  // As the sandbox does: under the user that owns the files.
  const as = isRoot ? { uid: 65_534 } : {}
  const race = await raceAgainstSwaps(await aWorkspace(as), { ms: 2000, ...as })
  expect(race.escapes).toEqual([])
  expect(race.passed).toBeGreaterThan(0)
  expect(race.tries).toBeGreaterThan(race.passed)
})
