import { expect, test } from 'vitest'
import { mcpServerSchema } from '../src/core/gateway/server-spec.ts'
import { createGateway } from '../src/gateway/create-gateway.ts'
import { freshStore } from '../src/testing/fresh-store.fixture.ts'
import { hostile } from './setup/gateway-crib.ts'

const owner = { tenant: 'default', isForEveryone: false }
const key = { tenant: 'default', server: 'own' }

async function openGateway() {
  const { gateway: store } = await freshStore()
  return createGateway({
    store,
    pins: { read: async () => new Map(), add: async () => undefined, renew: async () => undefined },
    readSecrets: async () => new Map(),
    readEnv: () => ({}),
    dispatcherFor() {
      throw new Error('a program is not dialled')
    },
    seesTools: async () => true,
    tell: () => undefined,
    onChange: () => undefined,
    onWarning: () => undefined,
    now: Date.now,
  })
}

test('a server that another node starts anew is connected when the refresh here is over', async () => {
  const gateway = await openGateway()
  const spec = mcpServerSchema.parse(hostile())
  const start = (restartedAt: string) =>
    gateway.setServers(owner, { own: { ...spec, restartedAt } })
  const marks = ['2026-01-01T00:00:01Z', '2026-01-01T00:00:02Z']
  start('2026-01-01T00:00:00Z')
  gateway.begin()
  const status = await gateway.refresh(key, undefined, async () => {
    const mark = marks.shift()
    if (mark !== undefined) start(mark)
  })
  expect(marks).toEqual([])
  expect(status.state).toBe('connected')
  expect(gateway.findStatus(key)?.state).toBe('connected')
  await gateway.close()
})
