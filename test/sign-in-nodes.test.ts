import { afterAll, beforeAll, expect, test } from 'vitest'
import { createNodes, type Nodes } from './setup/nodes.ts'
import type { ServerProcess } from './setup/server-process.ts'

const password = 'correct horse battery'
/** Far more than the second it takes; a busy machine may be late, word that is lost never comes. */
const patience = { timeout: 60_000 }

let nodes: Nodes
let a: ServerProcess
let b: ServerProcess

beforeAll(async () => {
  nodes = await createNodes()
  a = await nodes.start('a')
  b = await nodes.start('b')
})
afterAll(() => nodes.close())

/** The cookie has the port in its name; its value is good on every node. */
const cookieFor = (node: ServerProcess, token: string) => ({
  cookie: `toolcrib_${new URL(node.url).port}=${token}`,
})
const tokenOf = (reply: Response) =>
  /=([\w-]{43});/.exec(reply.headers.get('set-cookie') ?? '')?.[1] ?? ''
const statusOf = async (node: ServerProcess, token: string, route = '/api/v1/account') =>
  (await fetch(node.url + route, { headers: cookieFor(node, token) })).status

async function join(node: ServerProcess, email: string, role: string) {
  const made = await node.request('/api/v1/invitations', { method: 'POST', json: { email, role } })
  const { url } = (await made.json()) as { url: string }
  const token = new URL(url).searchParams.get('token') ?? ''
  const reply = await post(node, '/api/v1/invitations/accept', { token, name: 'Ada', password })
  const { member } = (await reply.json()) as { member: { id: string } }
  return { id: member.id, token: tokenOf(reply) }
}

const post = (node: ServerProcess, route: string, body: unknown) =>
  fetch(node.url + route, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })

test('a link that one node prints signs in on another, once', async () => {
  const link = new URL(a.signIn).searchParams.get('token') ?? ''
  // As the button of the page does that programs are shown.
  const use = (node: ServerProcess) =>
    fetch(`${node.url}/sign-in/link`, {
      method: 'POST',
      headers: { origin: node.url },
      body: new URLSearchParams({ token: link }),
      redirect: 'manual',
    })
  const entered = await use(b)
  expect(entered.status).toBe(303)
  const token = tokenOf(entered)
  expect([await statusOf(a, token), await statusOf(b, token)]).toEqual([200, 200])
  expect((await use(a)).status).toBe(401)
})

test('a demotion on one node holds on the other, for a session that is open', async () => {
  const { id, token } = await join(a, 'op@example.com', 'operator')
  expect(await statusOf(b, token, '/api/v1/secrets')).toBe(200)
  await a.request(`/api/v1/members/${id}`, {
    method: 'PATCH',
    body: JSON.stringify({ role: 'viewer' }),
  })
  await expect.poll(() => statusOf(b, token, '/api/v1/secrets'), patience).toBe(403)
  expect(await statusOf(b, token)).toBe(200)
  await a.request(`/api/v1/members/${id}`, {
    method: 'PATCH',
    body: JSON.stringify({ status: 'suspended' }),
  })
  await expect.poll(() => statusOf(b, token), patience).toBe(401)
})

test('signing out everywhere on one node ends sign-ins and streams on the other', async () => {
  const { id, token } = await join(a, 'auditor@example.com', 'auditor')
  const stream = await fetch(`${b.url}/api/v1/events`, {
    headers: { ...cookieFor(b, token), accept: 'text/event-stream' },
  })
  expect(stream.status).toBe(200)
  const ended = await a.request(`/api/v1/sign-ins?member=${id}`, { method: 'DELETE' })
  expect(await ended.json()).toEqual({ ended: 1 })
  await expect.poll(() => statusOf(b, token), patience).toBe(401)
  expect(await stream.text()).toContain('"unauthorized"')
})

test('a stream of the log ends on every node when its reader may no longer read it', async () => {
  const { id, token } = await join(a, 'once-auditor@example.com', 'auditor')
  const stream = await fetch(`${b.url}/api/v1/events`, {
    headers: { ...cookieFor(b, token), accept: 'text/event-stream' },
  })
  await a.request(`/api/v1/members/${id}`, {
    method: 'PATCH',
    body: JSON.stringify({ role: 'viewer' }),
  })
  expect(await stream.text()).toContain('"forbidden"')
  expect(await statusOf(b, token)).toBe(200)
})

test('tries are counted over all nodes', async () => {
  await join(a, 'often@example.com', 'member')
  const answers: number[] = []
  for (let at = 0; at < 14 && answers.at(-1) !== 429; at += 1) {
    const node = at % 2 === 0 ? a : b
    const body = { email: 'often@example.com', password: `wrong password ${at}` }
    answers.push((await post(node, '/api/v1/sign-in', body)).status)
  }
  // A slow machine may get one more in between, each of which costs twice the time.
  expect(answers.slice(0, 6)).toEqual([401, 401, 401, 401, 401, 401])
  expect(answers.at(-1)).toBe(429)
})

test('a session survives the restart of its node', async () => {
  const { token } = await join(a, 'stays@example.com', 'member')
  const port = Number(new URL(a.url).port)
  expect(await nodes.stop(a)).toBe(0)
  a = await nodes.start('a', port)
  expect(await statusOf(a, token)).toBe(200)
})
