import { describe, test } from 'vitest'
import { createTempDatabase } from '../src/store/contract/temp-store.ts'
import { isLongRun } from './setup/run-length.ts'
import { call, createTakeoverScene, find, until } from './setup/takeover-scene.ts'

/** The lease of a job, and what finding that it is over may take. */
const leaseMs = 10_000
const noticeMs = 3000
/** What a busy machine may add: the long run has none of the other tests beside it. */
const slackMs = isLongRun ? 4000 : 60_000

// The one waits for a lease to end while the other starts its servers.
describe.concurrent('calls of a server that died', () => {
  test('are another’s within the lease and three seconds', async ({ expect, onTestFinished }) => {
    const { url, drop } = await createTempDatabase()
    onTestFinished(drop)
    const { start, journal, close } = await createTakeoverScene()
    onTestFinished(close)
    const first = await start('first', ['--database', url], { IS_FIRST: 'yes' })
    const [again, once] = [await call(first, 'long.again'), await call(first, 'long.once')]
    await until(async () => (await journal()).length === 2)
    const second = await start('second', ['--database', url])
    await first.kill()
    const diedAt = Date.now()
    const [repeated, unknown] = await Promise.all([find(second, again, 60), find(second, once, 60)])
    expect([repeated.status, repeated.output, repeated.attempt]).toEqual([
      'completed',
      second.pid,
      2,
    ])
    expect([unknown.status, unknown.error?.code]).toEqual(['failed', 'outcome_unknown'])
    const runs = await journal()
    expect(runs.map(({ tool }) => tool).toSorted()).toEqual([
      'long.again',
      'long.again',
      'long.once',
    ])
    expect((runs.at(-1)?.at ?? 0) - diedAt).toBeLessThan(leaseMs + noticeMs + slackMs)
  })

  test('go on within five seconds of the restart of an embedded crib', async ({
    expect,
    onTestFinished,
  }) => {
    const { start, journal, close } = await createTakeoverScene()
    onTestFinished(close)
    const first = await start('data', [], { IS_FIRST: 'yes' })
    const long = await call(first, 'long.again')
    await until(async () => (await journal()).length === 1)
    await first.kill()
    const server = await start('data', [])
    const readyAt = Date.now()
    const { status, attempt } = await find(server, long, 60)
    expect([status, attempt]).toEqual(['completed', 2])
    expect(((await journal()).at(-1)?.at ?? 0) - readyAt).toBeLessThan(1000 + slackMs)
  })
})
