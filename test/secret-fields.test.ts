import pg from 'pg'
import { afterEach, expect, test } from 'vitest'
import { defineTool, z } from '../src/app/index.ts'
import { openCrib, type OpenCrib } from '../src/app/open-crib.ts'
import { ownerOf } from '../src/app/owner.ts'
import type { Caller } from '../src/core/kernel/call.ts'
import { createTempDatabase, createTempFolder } from '../src/store/contract/temp-store.ts'
import { openEngine } from '../src/store/open-store.ts'
import { crashStores } from './setup/crash-stores.ts'

const password = 'hunter2-very-"secret"'
const owner = ownerOf()
const inputSchema = z.object({
  user: z.string(),
  logins: z.array(z.object({ password: z.string().meta({ format: 'password' }) })),
  pin: z.int().nullable().meta({ writeOnly: true }),
})
const input = { user: 'ann', logins: [{ password }], pin: 90210471 }
const shown = {
  user: 'ann',
  logins: [{ password: '[redacted:logins.password]' }],
  pin: '[redacted:pin]',
}
const ran: unknown[] = []
const facts = { description: 'Signs somebody in.', effect: 'write', inputSchema } as const
const tools = [
  defineTool({
    name: 'login.now',
    ...facts,
    async *execute(given, context) {
      ran.push(given)
      context.log({ heard: given.logins[0]?.password ?? '' })
      context.progress({ message: `with ${password}` })
      yield { half: given }
      return { said: `I heard ${password} and ${encodeURIComponent(password)}`, pin: given.pin }
    },
  }),
  defineTool({
    name: 'login.ask',
    ...facts,
    approval: 'always',
    execute: (given) => ({ got: ran.push(given) }),
  }),
  defineTool({
    name: 'login.outer',
    ...facts,
    effect: 'read',
    execute: (given, { call }) =>
      call('login.note', { text: `it is ${given.logins[0]?.password}` }),
  }),
  defineTool({
    name: 'login.note',
    description: 'Notes something, if a person agrees.',
    effect: 'write',
    approval: 'always',
    inputSchema: z.object({ text: z.string() }),
    execute: ({ text }) => {
      ran.push(text)
      throw new Error(`can't note ${text}`)
    },
  }),
]

const closing: (() => unknown)[] = []
afterEach(async () => {
  for (const close of closing.splice(0).toReversed()) await close()
  ran.length = 0
})

async function open(kind: 'embedded' | 'postgres') {
  const folder = await createTempFolder()
  closing.push(folder.remove)
  const database = kind === 'postgres' ? await createTempDatabase() : undefined
  if (database !== undefined) closing.push(database.drop)
  const data = folder.path
  const crib = await openCrib({
    cwd: data,
    data,
    config: {},
    env: {},
    database: database?.url,
    tools,
  })
  let isOpen = true
  const close = async () => {
    if (isOpen) await crib.close()
    isOpen = false
  }
  closing.push(close)
  return { crib, close, dump: () => dumpAll(data, database?.url) }
}

/** Every row of every table as text. */
async function dumpAll(data: string, url: string | undefined): Promise<string> {
  const list = `select table_schema || '.' || table_name as name from information_schema.tables
    where table_type = 'BASE TABLE' and table_schema not in ('pg_catalog', 'information_schema')`
  const rowsOf = (name: string) => `select t::text as name from ${name} t`
  if (url === undefined) {
    const engine = await openEngine({ kind: 'pglite', dataDir: data }, () => {})
    closing.push(engine.close)
    return readAll(async (text) =>
      (await engine.sql.executeSql(text)).rows.map(({ name }) => String(name)),
    )
  }
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  closing.push(() => client.end())
  return readAll(async (text) =>
    (await client.query<{ name: string }>(text)).rows.map(({ name }) => name),
  )

  async function readAll(read: (text: string) => Promise<string[]>): Promise<string> {
    const rows: string[] = []
    for (const name of await read(list)) rows.push(...(await read(rowsOf(name))))
    return rows.join('\n')
  }
}

const settled = (crib: OpenCrib, id = '', caller: Caller = owner) =>
  crib.api.findCall(caller, { id, wait: 60 })

test.each(crashStores('embedded'))(
  'secret fields reach the tool and nothing that is kept: %s',
  async (kind) => {
    const { crib, close, dump } = await open(kind)
    const { api } = crib
    const told: unknown[] = []
    const onOutput = (output: unknown) => void told.push(output)
    const now = await api.call({ tool: 'login.now', input, caller: owner, onOutput })
    expect(now).toMatchObject({
      status: 'completed',
      output: { said: expect.not.stringContaining('hunter2') as string, pin: '[redacted:pin]' },
    })
    const queued = await api.call({
      tool: 'login.now',
      input,
      caller: owner,
      respondAsync: true,
      idempotencyKey: 'once',
    })
    expect(await settled(crib, queued.callId)).toMatchObject({ status: 'completed', input: shown })
    const again = { tool: 'login.now', caller: owner, idempotencyKey: 'once' }
    expect((await api.call({ ...again, input })).callId).toBe(queued.callId)
    const other = { ...input, logins: [{ password: 'another' }] }
    expect((await api.call({ ...again, input: other })).error?.code).toBe('idempotency_mismatch')

    // An edit that sends the marks back keeps what they stand for.
    const asked = await api.call({ tool: 'login.ask', input, caller: owner })
    const edited = { ...shown, user: 'bob' }
    const decision = { decision: 'approve' as const, input: edited }
    await api.decideApproval(owner, { id: asked.approvalId ?? '', ...decision })
    expect(await settled(crib, asked.callId)).toMatchObject({ status: 'completed', input: edited })

    // What a tool passes on is as secret below, also once it has waited for a person.
    const outer = await api.call({ tool: 'login.outer', input, caller: owner })
    const { items } = await api.listApprovals(owner, { status: 'pending', limit: 10 })
    expect(items[0]?.input).toEqual({ text: 'it is [redacted:logins.password]' })
    await api.decideApproval(owner, { id: items[0]?.id ?? '', decision: 'approve' })
    expect(await settled(crib, outer.callId)).toMatchObject({
      status: 'failed',
      error: { message: expect.stringContaining('[redacted:logins.password]') as string },
    })

    const made = await api.createSchedule(owner, {
      name: 'nightly',
      tool: 'login.now',
      input,
      when: { every: '1d' },
    })
    const renamed = { input: { ...shown, user: 'cleo' } }
    expect(await api.updateSchedule(owner, { id: made.id, ...renamed })).toMatchObject(renamed)
    const { callId = '' } = await api.runSchedule(owner, { id: made.id })
    expect(await settled(crib, callId)).toMatchObject({ status: 'completed', ...renamed })

    expect(ran).toEqual([
      input,
      input,
      { ...input, user: 'bob' },
      `it is ${password}`,
      { ...input, user: 'cleo' },
    ])
    await close()
    const kept = JSON.stringify(told) + (await dump())
    for (const form of ['hunter2', '90210471', Buffer.from('hunter2').toString('hex')]) {
      expect(kept).not.toContain(form)
    }
    // The schedule and the marks are in what was looked through.
    expect(kept).toContain('nightly')
    expect(kept).toContain('[redacted:logins.password]')
  },
)

test('a mark is no value: rerunning and calling with one say what has to be entered again', async () => {
  const { crib } = await open('embedded')
  const { api } = crib
  const { callId = '' } = await api.call({ tool: 'login.now', input, caller: owner })
  await expect(api.rerunCall(owner, { id: callId })).rejects.toMatchObject({
    code: 'invalid_request',
    issues: [
      { path: '/logins/0/password', message: 'has to be entered again' },
      { path: '/pin', message: 'has to be entered again' },
    ],
  })
  expect(await api.rerunCall(owner, { id: callId, input: shown })).toMatchObject({
    error: { code: 'invalid_input', issues: [{ path: '/logins/0/password' }, { path: '/pin' }] },
  })
  expect(await api.rerunCall(owner, { id: callId, input })).toMatchObject({ status: 'completed' })
  // Somebody else may not have a schedule send a value elsewhere that they do not know.
  const schedule = { name: 'x', tool: 'login.now', input, when: { every: '1d' } }
  const { id } = await api.createSchedule(owner, schedule)
  const other: Caller = { ...owner, principal: { kind: 'user', id: 'other' } }
  await expect(api.updateSchedule(other, { id, input: shown })).rejects.toMatchObject({
    code: 'invalid_input',
    issues: [{ path: '/logins/0/password' }, { path: '/pin' }],
  })
})

test('a password that is an ordinary word hides itself, and no key of the record', async () => {
  const { crib } = await open('embedded')
  const word = { ...input, logins: [{ password: 'password' }], pin: null }
  const { callId } = await crib.api.call({ tool: 'login.now', input: word, caller: owner })
  expect((await settled(crib, callId)).input).toEqual({ ...shown, pin: null })
  const short = { ...input, logins: [{ password: 'abc' }], pin: 1 }
  const second = await crib.api.call({ tool: 'login.now', input: short, caller: owner })
  expect((await settled(crib, second.callId)).input).toEqual(shown)
})

test('work that a composition starts hides what its own input hides', async () => {
  const { crib } = await open('embedded')
  const spec = {
    kind: 'composition',
    steps: [
      {
        id: 'go',
        tool: 'flow.start',
        input: { tool: 'login.note', input: { text: '{{input.word}}' } },
      },
    ],
    output: '{{steps.go.output.callId}}',
  }
  const word = { type: 'string', format: 'password' }
  const inputSchema = { type: 'object', properties: { word }, required: ['word'] }
  const document = { name: 'login.start', description: 'Starts a note.', inputSchema, spec }
  await crib.api.createTool(owner, { document, publish: true })
  const call = { tool: 'login.start', input: { word: password }, caller: owner }
  const { output } = await crib.api.call(call)
  const id = output as string
  const record = await crib.api.findCall(owner, { id })
  expect(JSON.stringify(record)).not.toContain('hunter2')
  await crib.api.decideApproval(owner, { id: record.approvalId ?? '', decision: 'approve' })
  const ended = await settled(crib, id)
  expect(ran).toEqual([password])
  expect(JSON.stringify(ended)).not.toContain('hunter2')
})
