import { expect, test } from 'vitest'
import { aWorkspace } from './a-workspace.fixture.ts'
import { raceAgainstSwaps } from './escape.fixture.ts'

test('ten seconds of swaps lead nowhere', async () => {
  const { tries, passed, escapes } = await raceAgainstSwaps(await aWorkspace(), { ms: 10_000 })
  expect(escapes).toEqual([])
  expect(passed).toBeGreaterThan(0)
  expect(tries).toBeGreaterThan(passed)
})
