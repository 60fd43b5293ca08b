import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Crib, createCrib } from '../../src/app/index.ts'
import { createTempDatabase } from '../../src/store/contract/temp-store.ts'
import { owner, seenBy, zipOf } from './skill-crib.ts'

let database: Awaited<ReturnType<typeof createTempDatabase>>
let data: string
const nodes: Crib[] = []

beforeAll(async () => {
  database = await createTempDatabase()
  data = await mkdtemp(path.join(tmpdir(), 'toolcrib skill nodes '))
  const env = { TOOLCRIB_MASTER_KEY: `k1:${Buffer.alloc(32, 7).toString('base64')}` }
  for (const name of ['one', 'two']) {
    nodes.push(
      await createCrib({
        data: path.join(data, name),
        database: database.url,
        env,
        config: { agents: [{ slug: 'bare' }] },
        onWarning: () => undefined,
      }),
    )
  }
})
afterAll(async () => {
  for (const node of nodes) await node.close()
  await database.drop()
  await rm(data, { recursive: true, force: true })
})

async function until(check: () => Promise<boolean>): Promise<void> {
  const end = Date.now() + 30_000
  while (!(await check())) {
    if (Date.now() > end) throw new Error('It did not happen in time')
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
}

test('what one node changes the other goes by, and both install the same content once', async () => {
  const [one, two] = nodes as [Crib, Crib]
  const zip = zipOf('name: helper\npermissions: [skill.list]')
  expect(await seenBy(two, 'bare')).toEqual([])
  const receipts = await Promise.all(
    [one, two, one, two].map(({ api }) => api.installSkill(owner, { zip })),
  )
  expect(receipts.filter(({ isNew }) => isNew)).toHaveLength(1)
  await one.api.enableSkill(owner, { slug: 'bare', name: 'helper' })
  await until(async () => (await seenBy(two, 'bare')).length === 2)
  expect(await seenBy(two, 'bare', 'helper')).toEqual(['skill.list'])
  await two.api.installSkill(owner, { zip: zipOf('name: helper\npermissions: [skill.read]') })
  await two.api.enableSkill(owner, { slug: 'bare', name: 'helper' })
  await until(async () => (await seenBy(one, 'bare', 'helper'))[0] === 'skill.read')
  await one.api.removeSkill(owner, { name: 'helper', force: true })
  await until(async () => (await seenBy(two, 'bare')).length === 0)
})
