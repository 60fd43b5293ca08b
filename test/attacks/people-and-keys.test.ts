import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type ServerProcess, startServerProcess } from '../setup/server-process.ts'

const config = {
  tools: ['tools'],
  agents: ['narrow', 'other'].map((slug) => ({
    slug,
    model: 'demo',
    tools: { allow: ['bank.*'] },
  })),
  approvals: {
    rules: [
      { tools: ['bank.pay'], requester: 'barred' },
      { tools: ['bank.wire'], quorum: 2 },
    ],
  },
}

let folder: string
let server: ServerProcess
const place = (name: string) => path.join(folder, name)
beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'toolcrib people '))
  await mkdir(place('tools'))
  await writeFile(place('toolcrib.config.json'), JSON.stringify(config))
  await writeFile(place('marks'), '')
  await writeFile(
    place('tools/bank.tool.ts'),
    `import { appendFileSync } from 'node:fs'
import { defineTool, z } from 'toolcrib'
const facts = {
  description: 'Moves money, and leaves a mark.',
  effect: 'write',
  inputSchema: z.object({ tag: z.string() }),
  execute: ({ tag }) => appendFileSync(${JSON.stringify(place('marks'))}, tag + '\\n'),
} as const
export const note = defineTool({ ...facts, name: 'bank.note' })
export const pay = defineTool({ ...facts, name: 'bank.pay', approval: 'always' })
export const wire = defineTool({ ...facts, name: 'bank.wire', approval: 'always' })`,
  )
  server = await startServerProcess({ cwd: folder, data: place('data') })
})
afterAll(async () => {
  await server.kill().catch(() => undefined)
  await rm(folder, { recursive: true, force: true })
})

interface Answer {
  status: number
  text: string
  id: string
  callId: string
  approvalId: string
}
type Send = (method: string, route: string, body?: object) => Promise<Answer>

/** Requests with these headers alone. */
function sender(headers: Record<string, string>): Send {
  return async (method, route, body) => {
    const response = await fetch(`${server.url}/api/v1${route}`, {
      method,
      headers: { ...headers, 'content-type': 'application/json' },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    })
    const text = await response.text()
    const fields = text.startsWith('{') ? (JSON.parse(text) as Partial<Answer>) : {}
    return { id: '', callId: '', approvalId: '', ...fields, status: response.status, text }
  }
}

const asOwner: Send = (...given) => sender({ authorization: `Bearer ${server.key}` })(...given)

async function makeKey(maker: Send, more: object): Promise<{ id: string; send: Send }> {
  const { status, text } = await maker('POST', '/keys', { name: 'k', ...more })
  expect(status, text).toBe(201)
  const { key, token } = JSON.parse(text) as { key: { id: string }; token: string }
  return { id: key.id, send: sender({ authorization: `Bearer ${token}` }) }
}

let count = 0
/** A member who has signed in with a link, as their browser asks. */
async function signIn(role: string): Promise<{ id: string; send: Send }> {
  const email = `m${(count += 1)}@x.example`
  const { id } = await asOwner('POST', '/members', { email, role })
  const { text } = await asOwner('POST', '/sign-in-links', { member: id })
  const { searchParams } = new URL((JSON.parse(text) as { url: string }).url)
  const reply = await fetch(`${server.url}/sign-in/link`, {
    method: 'POST',
    headers: { origin: server.url },
    body: new URLSearchParams({ token: searchParams.get('token') ?? '' }),
    redirect: 'manual',
  })
  const cookie = reply.headers.getSetCookie().map((one) => one.split(';')[0])
  return { id, send: sender({ cookie: cookie.join('; '), origin: server.url }) }
}

const ask = (send: Send, tool: string, more: object = {}) =>
  send('POST', `/tools/${tool}/calls`, { input: { tag: tool }, ...more })
const approve = async (send: Send, { approvalId }: Answer) =>
  (await send('POST', `/approvals/${approvalId}/decision`, { decision: 'approve' })).status
const marks = async () => (await readFile(place('marks'), 'utf8')).split('\n').filter(Boolean)
const settled = async ({ callId }: Answer) => {
  const { text } = await asOwner('GET', `/calls/${callId}?wait=60`)
  const { status, error } = JSON.parse(text) as { status: string; error?: { code: string } }
  return [status, error?.code]
}

describe('four eyes', () => {
  test('requesters do not approve, neither with their own key nor for it', async () => {
    const [ann, bob] = [await signIn('admin'), await signIn('admin')]
    const key = await makeKey(ann.send, { scopes: ['tools.call', 'approvals.decide'] })
    for (const [asker, decider] of [
      [ann.send, key.send],
      [key.send, ann.send],
    ] as const) {
      const waiting = await ask(asker, 'bank.pay')
      expect(await approve(decider, waiting)).toBe(403)
      expect(await marks()).not.toContain('bank.pay')
      await asOwner('POST', `/calls/${waiting.callId}/cancel`)
    }
    const waiting = await ask(key.send, 'bank.pay')
    expect(await approve(bob.send, waiting)).toBe(200)
    expect(await settled(waiting)).toEqual(['completed', undefined])
  })

  test('one person and their keys are one of the two who have to say yes', async () => {
    const [asker, ann, bob] = [await signIn('member'), await signIn('admin'), await signIn('admin')]
    const waiting = await ask(asker.send, 'bank.wire')
    const keys = [1, 2].map(() => makeKey(ann.send, { scopes: ['approvals.decide'] }))
    const [one, other] = await Promise.all(keys)
    expect(await approve(ann.send, waiting)).toBe(200)
    for (const key of [one, other]) {
      expect(key && (await approve(key.send, waiting))).toBe(409)
    }
    expect(await marks()).not.toContain('bank.wire')
    expect(await approve(bob.send, waiting)).toBe(200)
    expect(await settled(waiting)).toEqual(['completed', undefined])
  })
})

test('what a key has queued, asked for or scheduled ends with the key and with its maker', async () => {
  const scopes = ['tools.call', 'schedules.manage']
  const later = (send: Send, tag: string) => ask(send, 'bank.note', { input: { tag }, delay: 6 })
  const [revoked, member] = [await makeKey(asOwner, { scopes }), await signIn('admin')]
  const ofMember = await makeKey(member.send, { scopes })
  const expiresAt = new Date(Date.now() + 5000).toISOString()
  const expired = await makeKey(asOwner, { scopes, expiresAt })
  const queued = [
    await later(expired.send, 'of an expired key'),
    await later(revoked.send, 'of a revoked key'),
    await later(ofMember.send, 'of a removed member'),
  ]
  const waiting = await ask(revoked.send, 'bank.pay', { input: { tag: 'asked for' } })
  const schedule = await revoked.send('POST', '/schedules', {
    name: 's',
    tool: 'bank.note',
    input: { tag: 'scheduled' },
    when: { every: '1d' },
    retries: 0,
  })
  expect((await asOwner('DELETE', `/keys/${revoked.id}`)).status).toBeLessThan(300)
  expect((await asOwner('DELETE', `/members/${member.id}`)).status).toBeLessThan(300)
  for (const one of queued) expect(await settled(one)).toEqual(['failed', 'forbidden'])
  expect(await approve((await signIn('admin')).send, waiting)).toBe(403)
  await asOwner('POST', `/schedules/${schedule.id}/run`)
  const wrong = ['of an expired key', 'of a revoked key', 'of a removed member']
  const ran = await marks()
  expect([...wrong, 'asked for', 'scheduled'].filter((tag) => ran.includes(tag))).toEqual([])
})

test('a key of one agent with all permissions reads, ends and deletes nothing of another', async () => {
  const bound = await makeKey(asOwner, { scopes: ['*'], agent: 'narrow' })
  const call = await ask(asOwner, 'bank.note', { input: { tag: 'PRIVATE' }, agent: 'other' })
  const waiting = await ask(asOwner, 'bank.wire', { input: { tag: 'PRIVATE' }, agent: 'other' })
  const upload = await fetch(`${server.url}/api/v1/uploads?name=x.txt`, {
    method: 'POST',
    headers: { authorization: `Bearer ${server.key}`, 'content-type': 'text/plain' },
    body: 'PRIVATE',
  })
  const { id } = (await upload.json()) as { id: string }
  for (const route of ['/calls', '/events?last=100', '/audit', '/audit/export', '/approvals']) {
    const { status, text } = await bound.send('GET', route)
    expect([route, status, text.includes('PRIVATE')]).toEqual([route, 200, false])
  }
  const refused = [
    await bound.send('GET', `/calls/${call.callId}`),
    await bound.send('POST', `/calls/${waiting.callId}/cancel`),
    await bound.send('GET', `/uploads/${id}/content`),
    await bound.send('DELETE', `/uploads/${id}`),
  ]
  expect(refused.map(({ status }) => status)).toEqual([404, 404, 404, 404])
  const { text } = await asOwner('GET', `/calls/${waiting.callId}`)
  expect(JSON.parse(text)).toMatchObject({ status: 'waiting' })
})

test('an admin does not end the sign-ins of an owner', async () => {
  const [admin, owner] = [await signIn('admin'), await signIn('owner')]
  expect((await admin.send('DELETE', `/sign-ins?member=${owner.id}`)).status).toBe(403)
  expect((await owner.send('GET', '/me')).status).toBe(200)
})
