import { randomBytes } from 'node:crypto'
import { openCrib, type OpenCrib } from '../src/app/open-crib.ts'
import { ownerOf } from '../src/app/owner.ts'
import { agentSchema } from '../src/core/rules/rule-schemas.ts'
import { benchTool, createDatabase, withCrib } from './fixtures.ts'
import { type Figure, heldBytes, median, medianMs } from './measure.ts'

const toolCount = 1000
const tenantCount = 500
const agentsEach = 10

/** What an agent sees under real rules, many tenants beside each other, and how soon a change is everywhere. */
export async function benchGovernance(databaseUrl: string): Promise<Figure[]> {
  return [
    ...(await benchVisible()),
    ...(await benchTenants()),
    ...(await benchSpread(await createDatabase(databaseUrl))),
  ]
}

const tools = () => Array.from({ length: toolCount }, (_, at) => benchTool(`bench.tool-${at}`))
const agent = (slug: string) =>
  agentSchema.parse({
    slug,
    model: 'openai/some',
    tools: { allow: Array.from({ length: 50 }, (_, at) => `bench.tool-${at % 10}*`) },
  })

/** 1,000 tools, 50 grants, three levels; cold is after a change, with everything read from the store again. */
async function benchVisible(): Promise<Figure[]> {
  const config = {
    policy: { deny: ['shell.*'] },
    providers: { openai: { allow: ['bench.*'], deny: [] } },
    tenants: [{ slug: 'acme', policy: { profile: 'full', deny: ['bench.tool-13'] } }],
  }
  return withCrib({ config, tools: tools() }, async ({ api }) => {
    const owner = ownerOf('acme')
    await api.createAgent(owner, agent('support'))
    const list = () => api.listTools(owner, { agent: 'support', limit: 1000 })
    const colds: number[] = []
    for (let round = 0; round < 7; round += 1) {
      await api.writePolicyDocument(owner, {
        kind: 'group',
        name: 'g',
        body: [`bench.tool-${round}`],
      })
      colds.push(await medianMs(1, list))
    }
    const [cold, warm] = [median(colds), await medianMs(51, list)]
    const what = 'visible tools, 1,000 tools, 50 grants, 3 levels'
    return [
      { name: `${what}, cold`, value: cold, unit: 'ms', goal: '< 60', kept: cold < 60 },
      { name: `${what}, warm`, value: warm, unit: 'ms', goal: '< 5', kept: warm < 5 },
    ]
  })
}

/** 5,000 agents in 500 tenants, each looked at once and then again: what the first and the last cost. */
async function benchTenants(): Promise<Figure[]> {
  const slugs = Array.from({ length: tenantCount }, (_, at) => `tenant-${at}`)
  const config = { tenants: slugs.map((slug) => ({ slug })) }
  return withCrib({ config, tools: tools().slice(0, 100) }, async ({ api }) => {
    for (const slug of slugs) {
      for (let at = 0; at < agentsEach; at += 1) {
        await api.createAgent(ownerOf(slug), agent(`agent-${at}`))
      }
    }
    const before = heldBytes()
    const times: number[] = []
    for (let at = 0; at < agentsEach; at += 1) {
      for (const slug of slugs) {
        const list = () => api.listTools(ownerOf(slug), { agent: `agent-${at}`, limit: 100 })
        times.push(await medianMs(1, list))
      }
    }
    const kilobytes = (heldBytes() - before) / 1024 / times.length
    const [first, last] = [times.slice(500, 1000), times.slice(-500)].map(median)
    const agents = await medianMs(21, () => api.listAgents(ownerOf('tenant-250'), { limit: 50 }))
    const what = '5,000 agents in 500 tenants'
    return [
      { name: `${what}: first look at an agent, the first 500`, value: first ?? NaN, unit: 'ms' },
      {
        name: `${what}: first look at an agent, the last 500`,
        value: last ?? NaN,
        bare: first,
        unit: 'ms',
        goal: 'the same',
        kept: (last ?? NaN) < 2 * (first ?? 0) + 1,
      },
      { name: `${what}: list the agents of one`, value: agents, unit: 'ms' },
      { name: `${what}: memory kept for each agent looked at`, value: kilobytes, unit: 'kB' },
    ]
  })
}

/** From the answer to a change on one node until another node decides by it. */
async function benchSpread(database: string): Promise<Figure[]> {
  const env = { TOOLCRIB_MASTER_KEY: `bench:${randomBytes(32).toString('base64')}` }
  const options = { cwd: '/', data: '/tmp', config: { tools: [] }, env, database }
  const more = { tools: tools().slice(0, 2), onWarning: () => undefined }
  const here = await openCrib({ ...options, ...more })
  const there = await openCrib({ ...options, ...more })
  const owner = ownerOf()
  try {
    await here.api.createAgent(owner, agent('a'))
    const times: number[] = []
    for (let round = 0; round < 20; round += 1) {
      const body = { deny: round % 2 === 0 ? ['bench.tool-0'] : [] }
      await here.api.writePolicyDocument(owner, { kind: 'policy', name: 'tenant', body })
      times.push(await untilSeen(there, round % 2 === 0 ? 1 : 2))
    }
    const [p50, most] = [median(times), Math.max(...times)]
    return [
      { name: 'change of policy until another node follows, p50', value: p50, unit: 'ms' },
      {
        name: 'change of policy until another node follows, most',
        value: most,
        unit: 'ms',
        goal: '< 1000',
        kept: most < 1000,
      },
    ]
  } finally {
    await here.close()
    await there.close()
  }
}

async function untilSeen({ api }: OpenCrib, count: number): Promise<number> {
  const startedAt = performance.now()
  const list = () => api.listTools(ownerOf(), { agent: 'a' }).catch(() => ({ items: [] }))
  while ((await list()).items.length !== count) {
    if (performance.now() - startedAt > 10_000) throw new Error('The other node never followed')
    await new Promise((resolve) => setTimeout(resolve, 1))
  }
  return performance.now() - startedAt
}
