import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { z } from 'zod'
import { defineTool } from '../../src/core/define-tool.ts'
import type { Stores } from '../../src/features/stores.ts'
import { settingsFor } from '../../src/store/contract/records.ts'
import { createTempDatabase } from '../../src/store/contract/temp-store.ts'
import { openStores } from '../../src/features/open-stores.ts'
import { operator } from '../setup/governed-crib.ts'
import { type KeyInHand, type McpCrib, modern, openMcpCrib, readAnswer } from './mcp-crib.ts'

const question = (message: string) => ({
  who: { method: 'elicitation/create' as const, params: { message } },
})

function asking(name: string, effect: 'read' | 'write', rounds = 1) {
  return defineTool({
    name,
    description: 'Asks before it goes on.',
    effect,
    inputSchema: z.object({}),
    async execute(_input, { client }) {
      let last: unknown = null
      for (let round = 1; round <= rounds; round += 1) {
        last = (await client?.ask(question(`round ${round}`)))?.['who']
      }
      return { said: last }
    },
  })
}
const tools = [
  asking('ask.read', 'read'),
  asking('ask.write', 'write'),
  asking('ask.twice', 'read', 2),
]

let database: Awaited<ReturnType<typeof createTempDatabase>>
let nodes: { mcp: McpCrib; store: Stores }[] = []
let key: KeyInHand

async function openNode(name: string): Promise<McpCrib> {
  const store = await openStores({ kind: 'postgres', url: database.url }, settingsFor(name))
  const mcp = await openMcpCrib({ tools, store })
  nodes.push({ mcp, store })
  return mcp
}
async function closeNode(closing: McpCrib): Promise<void> {
  const node = nodes.find(({ mcp }) => mcp === closing)
  nodes = nodes.filter((one) => one !== node)
  await node?.mcp.close()
  await node?.store.close()
}

beforeAll(async () => {
  database = await createTempDatabase()
})
afterEach(async () => {
  for (const { mcp } of nodes) await closeNode(mcp)
})
afterAll(() => database.drop())

const canAnswer = { elicitation: {} }
const accepted = { action: 'accept', content: { name: 'Ann' } }

async function ask(mcp: McpCrib, name: string, more: object = {}) {
  const request = modern('tools/call', { name, arguments: {}, ...more }, canAnswer)
  return readAnswer(await mcp.post(key, ...request))
}
async function park(mcp: McpCrib, name: string): Promise<object> {
  const { result } = await ask(mcp, name)
  expect(result).toMatchObject({ resultType: 'input_required' })
  return { requestState: result?.['requestState'], inputResponses: { who: accepted } }
}
const callsOf = async (mcp: McpCrib, tool: string) => {
  const { items } = await mcp.crib.api.listCalls(operator, { tool, limit: 10 })
  return items.map(({ status }) => status)
}
/** The other node hears of a cancel in its own time. */
const patience = { timeout: 60_000 }

const saidIt = {
  resultType: 'complete',
  content: [{ type: 'text', text: JSON.stringify({ said: accepted }) }],
}
const ended = {
  resultType: 'complete',
  isError: true,
  content: [{ text: expect.stringMatching(/interrupted.*call_/s) }],
}

test('an answer that comes to another node begins a read again, and its first call ends', async () => {
  const [here, there] = [await openNode('here'), await openNode('there')]
  key = await here.createKey()
  const answer = await park(here, 'ask_read')
  expect((await ask(there, 'ask_read', answer)).result).toMatchObject(saidIt)
  await expect.poll(() => callsOf(there, 'ask.read'), patience).toEqual(['completed', 'cancelled'])
})

test('a call that may have done something is not begun again: it ends, and says so', async () => {
  const [here, there] = [await openNode('here'), await openNode('there')]
  key = await here.createKey()
  const answer = await park(here, 'ask_write')
  expect((await ask(there, 'ask_write', answer)).result).toMatchObject(ended)
  await expect.poll(() => callsOf(there, 'ask.write'), patience).toEqual(['cancelled'])
  // Asked once more, it is told the same.
  expect((await ask(there, 'ask_write', answer)).result).toMatchObject({ isError: true })
  expect((await ask(here, 'ask_write', answer)).result).toMatchObject({ isError: true })
})

test('nor is one begun again in its second round: the answer belongs to another question', async () => {
  const [here, there] = [await openNode('here'), await openNode('there')]
  key = await here.createKey()
  const first = await park(here, 'ask_twice')
  const { result } = await ask(here, 'ask_twice', first)
  const second = { ...first, requestState: result?.['requestState'] }
  expect((await ask(there, 'ask_twice', second)).result).toMatchObject(ended)
})

test('after a restart a read is begun again with the answer, and the others have ended', async () => {
  const before = await openNode('here')
  key = await before.createKey()
  const [read, write] = [await park(before, 'ask_read'), await park(before, 'ask_write')]
  await closeNode(before)
  const after = await openNode('here')
  expect((await ask(after, 'ask_read', read)).result).toMatchObject(saidIt)
  expect((await ask(after, 'ask_write', write)).result).toMatchObject(ended)
  expect((await callsOf(after, 'ask.write'))[0]).toBe('failed')
})

test('what another caller or another tool has asked is nobody’s to take up', async () => {
  const [here, there] = [await openNode('here'), await openNode('there')]
  key = await here.createKey()
  const answer = await park(here, 'ask_read')
  expect((await ask(there, 'ask_write', answer)).error?.code).toBe(-32602)
  const own = key
  key = await here.createKey()
  expect((await ask(there, 'ask_read', answer)).error?.code).toBe(-32602)
  key = own
  expect((await ask(here, 'ask_read', answer)).result).toMatchObject(saidIt)
})
