import { afterAll, beforeAll, expect, test } from 'vitest'
import { z } from 'zod'
import { openCrib, type OpenCrib } from '../src/app/open-crib.ts'
import { ownerOf } from '../src/app/owner.ts'
import { defineTool } from '../src/core/define-tool.ts'
import { agentSchema } from '../src/core/rules/rule-schemas.ts'
import { createTempDatabase } from '../src/store/contract/temp-store.ts'

const owner = ownerOf()
const config = { tools: [], tenants: [{ slug: 'acme' }] }
const env = { TOOLCRIB_MASTER_KEY: `k1:${Buffer.alloc(32, 3).toString('base64')}` }
const tools = ['mail.read', 'mail.send'].map((name) =>
  defineTool({
    name,
    description: 'A tool that two nodes have, for tests of what they decide.',
    effect: 'read',
    inputSchema: z.object({}),
    execute: () => 'done',
  }),
)

let database: Awaited<ReturnType<typeof createTempDatabase>>
let [here, there]: OpenCrib[] = []

beforeAll(async () => {
  database = await createTempDatabase()
  const options = { cwd: '/', data: '/tmp', config, env, tools, onWarning: () => undefined }
  here = await openCrib({ ...options, database: database.url })
  there = await openCrib({ ...options, database: database.url })
})
afterAll(async () => {
  await here?.close()
  await there?.close()
  await database.drop()
})

const seen = async (crib: OpenCrib | undefined, agent: string) => {
  const page = await crib?.api.listTools({ ...owner, runtime: 'chat' }, { agent })
  return page?.items.map(({ name }) => name)
}

/** How long the other node takes to see it. */
async function untilSeen(agent: string, expected: readonly string[]): Promise<number> {
  const startedAt = performance.now()
  while (JSON.stringify(await seen(there, agent)) !== JSON.stringify(expected)) {
    if (performance.now() - startedAt > 60_000) throw new Error('The other node never saw it')
    await new Promise((resolve) => setTimeout(resolve, 5))
  }
  return performance.now() - startedAt
}

test('a change of policy on one node is seen by the other, most often within a fraction of a second', async () => {
  await here?.api.createAgent(owner, agentSchema.parse({ slug: 'a', tools: { allow: ['mail.*'] } }))
  await expect.poll(() => seen(there, 'a').catch(() => [])).toHaveLength(2)
  const policy = { kind: 'policy', name: 'tenant' } as const
  const times: number[] = []
  for (let round = 0; round < 20 && !times.some((ms) => ms < 1000); round += 1) {
    await here?.api.writePolicyDocument(owner, { ...policy, body: { deny: ['mail.send'] } })
    times.push(await untilSeen('a', ['mail.read']))
    await here?.api.deletePolicyDocument(owner, policy)
    times.push(await untilSeen('a', ['mail.read', 'mail.send']))
  }
  // The best of several, because this machine may be busy with other tests: a second is the promise.
  expect(Math.min(...times)).toBeLessThan(1000)
})

test('grants that two nodes add at once are both there', async () => {
  await here?.api.createAgent(owner, agentSchema.parse({ slug: 'b' }))
  await expect.poll(() => seen(there, 'b').catch(() => undefined)).toEqual([])
  const patterns = Array.from({ length: 10 }, (_unused, at) => `tool.n${at}`)
  await Promise.all(
    patterns.map(async (pattern, at) =>
      (at % 2 === 0 ? here : there)?.api.addGrant(owner, { slug: 'b', pattern, kind: 'allow' }),
    ),
  )
  const granted = async () => {
    const agent = await here?.api.findAgent(owner, { slug: 'b' })
    return agent?.grants.map(({ pattern }) => pattern).toSorted()
  }
  await expect.poll(granted).toEqual(patterns)
})
