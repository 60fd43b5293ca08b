import { afterEach, beforeEach, expect, test } from 'vitest'
import { createEmptyDatabase } from '../src/store/contract/temp-store.ts'
import { createNodes, type Nodes } from './setup/nodes.ts'
import type { ServerProcess } from './setup/server-process.ts'

let nodes: Nodes
beforeEach(async () => {
  nodes = await createNodes({}, createEmptyDatabase)
})
afterEach(() => nodes.close())

test('four nodes that start at once on an empty database all come up and share what is written', async () => {
  const servers = await Promise.all(['a', 'b', 'c', 'd'].map((name) => nodes.start(name)))
  const [first] = servers as [ServerProcess]
  const created = await first.request('/api/v1/keys', { json: { name: 'k', scopes: ['*'] } })
  const { token } = (await created.json()) as { token: string }
  const headers = { authorization: `Bearer ${token}` }
  const answers = servers.map(
    async (node) => (await node.request('/api/v1/calls', { headers })).status,
  )
  expect(await Promise.all(answers)).toEqual([200, 200, 200, 200])
})

test('of two nodes with different master keys that start at once, one is refused and says why', async () => {
  const other = { TOOLCRIB_MASTER_KEY: 'k2:'.padEnd(46, 'B') }
  const starts = await Promise.allSettled([nodes.start('a'), nodes.start('b', 0, other)])
  const refused = starts.filter((start) => start.status === 'rejected')
  expect(refused.map(({ reason }) => String(reason))).toEqual([
    expect.stringMatching(
      /The store is sealed with master key k[12], which is not in the key ring/,
    ),
  ])
})
