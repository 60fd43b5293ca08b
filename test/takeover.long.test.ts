import { expect, onTestFinished, test } from 'vitest'
import { call, createTakeoverScene, find, until } from './setup/takeover-scene.ts'

test('an embedded crib gives up a call that takes it down each time', async () => {
  const { start, journal, close } = await createTakeoverScene()
  onTestFinished(close)
  let server = await start('data', [])
  const poisons = async () => (await journal()).filter(({ tool }) => tool === 'long.poison')
  const callId = await call(server, 'long.poison')
  for (let deaths = 1; deaths <= 4; deaths += 1) {
    await until(async () => (await poisons()).length >= deaths)
    await server.kill().catch(() => undefined)
    // One that takes up the call before it says that it is ready never does.
    const restarted = start('data', [])
    server = deaths < 4 ? await restarted.catch(() => server) : await restarted
  }
  const given = await find(server, callId, 60)
  expect([given.status, given.error?.code, (await poisons()).length]).toEqual([
    'failed',
    'interrupted',
    4,
  ])
}, 240_000)
