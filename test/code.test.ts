import { afterEach, expect, test } from 'vitest'
import { z } from 'zod'
import type { Crib } from '../src/app/crib.ts'
import { ownerOf } from '../src/app/owner.ts'
import { defineTool } from '../src/core/define-tool.ts'
import { createTestCrib } from '../src/testing/index.ts'
import { openTestStore } from '../src/testing/open-test-store.ts'

const owner = ownerOf('default')
const ran: string[] = []

const note = defineTool({
  name: 'crm.note',
  description: 'Writes a note, if a person agrees.',
  effect: 'write',
  approval: 'always',
  inputSchema: z.object({ text: z.string() }),
  execute({ text }) {
    ran.push(text)
    return `noted ${text}`
  },
})
const find = defineTool({
  name: 'crm.find',
  description: 'Finds something.',
  effect: 'read',
  inputSchema: z.object({ id: z.int() }),
  execute: ({ id }) => ({ id, square: id * id }),
})

const closing: (() => Promise<void>)[] = []
afterEach(async () => {
  ran.length = 0
  for (const close of closing.splice(0).toReversed()) await close()
})

async function openCrib(store?: Awaited<ReturnType<typeof openTestStore>>): Promise<Crib> {
  const config = { tools: [], packs: { code: true } }
  const crib = await createTestCrib({ tools: [note, find], config, ...(store && { store }) })
  closing.push(() => crib.close())
  return crib
}

const run = (crib: Crib, source: string) => crib.call('code.run', { source, language: null })

/** The calls that a person is asked about, by their text. */
async function findAsked(crib: Crib): Promise<Map<string, string>> {
  const { items } = await crib.api.listApprovals(owner, { status: 'pending', limit: 50 })
  return new Map(items.map(({ id, input }) => [(input as { text: string }).text, id]))
}

const decide = async (crib: Crib, text: string) =>
  crib.api.decideApproval(owner, {
    id: (await findAsked(crib)).get(text) ?? '',
    decision: 'approve',
  })

test('a program calls tools as its caller may, and each call is on record', async () => {
  const crib = await openCrib()
  const source = `
    const all = await Promise.all([1, 2, 3].map((id) => tools.crm.find({ id })))
    console.log('found', all.length)
    return all.map(({ square }) => square)`
  const { status, output, callId = '' } = await run(crib, source)
  expect({ status, output }).toEqual({
    status: 'completed',
    output: { result: [1, 4, 9], logs: ['found 3'] },
  })
  const { items } = await crib.api.listCalls(owner, { parent: callId, limit: 10 })
  expect(items.map(({ tool }) => tool)).toEqual(['crm.find', 'crm.find', 'crm.find'])
})

test('three approvals at once are given in any order, across a restart', async () => {
  const store = await openTestStore()
  closing.push(() => store.close())
  const first = await openCrib(store)
  const source = `
    const began = Date.now() + Math.random()
    const notes = await Promise.all(['a', 'b', 'c'].map(async (text) => {
      const said = await tools.crm.note({ text })
      const { square } = await tools.crm.find({ id: text.charCodeAt(0) })
      return [said, square]
    }))
    const last = await tools.crm.note({ text: 'at ' + began })
    return { notes, last }`
  const { status, callId = '' } = await run(first, source)
  expect(status).toBe('waiting')
  expect([...(await findAsked(first)).keys()].toSorted()).toEqual(['a', 'b', 'c'])
  await decide(first, 'c')
  await expect.poll(() => ran).toEqual(['c'])
  await closing.pop()?.()

  const second = await openCrib(store)
  await decide(second, 'a')
  await decide(second, 'b')
  await expect.poll(async () => [...(await findAsked(second)).keys()]).toHaveLength(1)
  const [last = ''] = (await findAsked(second)).keys()
  expect(last).toMatch(/^at \d+\.\d+$/)
  await decide(second, last)
  const ended = () => second.api.findCall(owner, { id: callId })
  await expect.poll(async () => (await ended())?.status).toBe('completed')
  expect((await ended())?.output).toMatchObject({
    result: {
      notes: [
        ['noted a', 97 * 97],
        ['noted b', 98 * 98],
        ['noted c', 99 * 99],
      ],
      last: `noted ${last}`,
    },
  })
  expect(ran.toSorted()).toEqual(['a', last, 'b', 'c'].toSorted())
})

test('a program without the right to a tool gets its refusal, and no other way to it', async () => {
  const crib = await openCrib()
  const source = `
    const said = []
    for (const name of ['no.such', 'tools.call', '__proto__', '']) {
      await callTool(name, {}).catch((error) => said.push(error.code))
    }
    return said`
  const { output } = await run(crib, source)
  expect((output as { result: unknown[] }).result).toHaveLength(4)
})
