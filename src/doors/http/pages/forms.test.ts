import { expect, test } from 'vitest'
import { openDoor, webOwner } from '../testing/open-door.ts'

const host = 'http://localhost:4680'
const password = 'correct horse battery'
const cookieOf = (response: Response) =>
  (response.headers.get('set-cookie') ?? '').split(';')[0] ?? ''

async function openSite() {
  const door = await openDoor()
  const { api } = door
  const visit = (path: string, headers: Record<string, string> = {}) =>
    door.app.request(host + path, { headers })
  const send = (
    path: string,
    fields: Record<string, string>,
    headers: Record<string, string> = { origin: host },
  ) =>
    door.app.request(host + path, {
      method: 'POST',
      headers: { 'content-type': 'application/x-www-form-urlencoded', ...headers },
      body: new URLSearchParams(fields).toString(),
    })
  const invite = async (email: string, role = 'member') => {
    const { url } = await api.createInvitation(webOwner, { email, role })
    return new URL(url, host).searchParams.get('token') ?? ''
  }
  const join = async (email: string, role?: string) => {
    const token = await invite(email, role)
    return cookieOf(await send('/invitation', { token, name: 'Ada', password }))
  }
  return { ...door, visit, send, invite, join }
}

test('accepting an invitation signs in, once, and later the password does', async () => {
  const { visit, send, invite } = await openSite()
  const token = await invite('Ada@Example.com')
  const shown = await visit(`/invitation?token=${token}`)
  expect(shown.status).toBe(200)
  expect(await shown.text()).toContain('value="ada@example.com"')
  const joined = await send('/invitation', { token, name: 'Ada', password })
  expect([joined.status, joined.headers.get('location')]).toEqual([303, '/'])
  expect((await visit('/api/v1/account', { cookie: cookieOf(joined) })).status).toBe(200)
  for (const reply of [
    await send('/invitation', { token, name: 'Eve', password }),
    await visit(`/invitation?token=${token}`),
    await visit('/invitation?token=never'),
    await visit('/invitation'),
  ]) {
    expect(reply.status).toBe(401)
    expect(await reply.text()).toContain('This invitation no longer works')
  }
  const page = await (await visit('/sign-in')).text()
  expect(page).toContain('autocomplete="current-password"')
  const entered = await send('/sign-in', { email: 'ADA@example.com', password })
  expect([entered.status, entered.headers.get('location')]).toEqual([303, '/'])
})

test('the error of a form is shown next to its field, and the typed text is kept', async () => {
  const { send, invite, join } = await openSite()
  const token = await invite('eve@example.com')
  const short = await send('/invitation', { token, name: '<b>Eve', password: 'short' })
  expect(short.status).toBe(400)
  const page = await short.text()
  expect(page).toContain('id="password-error">Password must have at least 10 characters.</p>')
  expect(page).toContain('value="&lt;b&gt;Eve"')
  expect(page).not.toContain('short"')
  await join('ada@example.com')
  const wrong = await send('/sign-in', { email: 'ada@example.com', password: 'wrong password' })
  expect(wrong.status).toBe(401)
  const text = await wrong.text()
  expect(text).toContain('role="alert">The address or the password is wrong.')
  expect(text).toContain('value="ada@example.com"')
  expect(text).not.toContain('wrong password')
  const nobody = await send('/sign-in', { email: 'nobody@example.com', password: 'x' })
  expect(nobody.status).toBe(401)
  expect(await nobody.text()).toContain('role="alert">The address or the password is wrong.')
})

const foreign: Record<string, string>[] = [
  {},
  { origin: 'https://evil.example' },
  { origin: 'null' },
  { origin: host, 'sec-fetch-site': 'cross-site' },
]

test('a form from another site, or of unknown origin, is refused', async () => {
  const { send, invite, join } = await openSite()
  const cookie = await join('ada@example.com')
  const token = await invite('eve@example.com')
  const forms: [string, Record<string, string>][] = [
    ['/sign-in', { email: 'ada@example.com', password }],
    ['/invitation', { token, name: 'Eve', password }],
    ['/sign-out', {}],
  ]
  for (const [path, fields] of forms) {
    for (const headers of foreign)
      expect([path, (await send(path, fields, { cookie, ...headers })).status]).toEqual([path, 403])
  }
  expect((await send('/invitation', { token, name: 'Eve', password })).status).toBe(303)
})

test('members change their own name, and nothing else about themselves', async () => {
  const { app, join, visit } = await openSite()
  const cookie = await join('ada@example.com')
  const change = (body: object) =>
    app.request(`${host}/api/v1/account`, {
      method: 'PATCH',
      headers: { cookie, origin: host, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    })
  const renamed = await change({ name: ' Ada ل ' })
  expect([renamed.status, await renamed.json()]).toMatchObject([
    200,
    { member: { name: 'Ada ل', role: 'member' } },
  ])
  for (const body of [{ name: '  ' }, { name: 'x'.repeat(101) }, { name: 'Ada', role: 'owner' }]) {
    expect((await change(body)).status).toBe(400)
  }
  const account = await visit('/api/v1/account', { cookie })
  expect(await account.json()).toMatchObject({ member: { name: 'Ada ل', role: 'member' } })
})

test('a password is changed by who knows the old one, and ends every other sign-in', async () => {
  const { app, send, join, visit } = await openSite()
  const first = await join('ada@example.com')
  const cookie = cookieOf(await send('/sign-in', { email: 'ada@example.com', password }))
  const change = (body: Record<string, string>) =>
    app.request(`${host}/api/v1/account/password`, {
      method: 'PUT',
      headers: { cookie, origin: host, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    })
  const wrong = await change({ current: 'not this one', password: 'another password' })
  expect(wrong.status).toBe(400)
  expect(await wrong.json()).toMatchObject({
    issues: [{ path: '/current', message: 'is not your current password' }],
  })
  expect((await change({ current: password, password: 'ada@example.com' })).status).toBe(400)
  expect((await change({ current: password, password: 'another password' })).status).toBe(204)
  expect((await visit('/api/v1/account', { cookie: first })).status).toBe(401)
  expect((await visit('/api/v1/account', { cookie })).status).toBe(200)
  expect((await send('/sign-in', { email: 'ada@example.com', password })).status).toBe(401)
})

test('sign-ins are listed, ended one by one, and everywhere', async () => {
  const { app, send, join, visit } = await openSite()
  const first = await join('ada@example.com')
  const signIn = async () =>
    cookieOf(await send('/sign-in', { email: 'ada@example.com', password }))
  const [second, third] = [await signIn(), await signIn()]
  const json = await (await visit('/api/v1/sign-ins', { cookie: second })).json()
  const items = (json as { items: { id: string; isCurrent: boolean }[] }).items
  expect(items.map(({ isCurrent }) => isCurrent)).toEqual([false, true, false])
  const end = (path: string) =>
    app.request(`${host}/api/v1/sign-ins${path}`, {
      method: 'DELETE',
      headers: { cookie: second, origin: host },
    })
  await end(`/${items[2]?.id ?? ''}`)
  const statuses = async () =>
    Promise.all(
      [first, second, third].map(
        async (cookie) => (await visit('/api/v1/account', { cookie })).status,
      ),
    )
  expect(await statuses()).toEqual([401, 200, 200])
  await end('?keepCurrent=true')
  expect(await statuses()).toEqual([401, 200, 401])
  expect((await end('')).status).toBe(200)
  expect(await statuses()).toEqual([401, 401, 401])
})

test('every way in leads to where somebody was going, and to no other server', async () => {
  const { api, visit, send, invite } = await openSite()
  const page = await (await visit('/sign-in?next=%2Fcalls%3Fstatus%3Dfailed')).text()
  expect(page).not.toContain('name="next"')
  const token = await invite('ada@example.com')
  const shown = await (await visit(`/invitation?token=${token}&next=/calls`)).text()
  expect(shown).toContain('<input type="hidden" name="next" value="/calls" />')
  const short = await send('/invitation', { token, name: 'Ada', password: 'x', next: '/calls' })
  expect(await short.text()).toContain('<input type="hidden" name="next" value="/calls" />')
  const joined = await send('/invitation', { token, name: 'Ada', password, next: '/calls' })
  expect(joined.headers.get('location')).toBe('/calls')
  const form = await (await visit('/sign-in?next=%2Fcalls%3Fstatus%3Dfailed')).text()
  expect(form).toContain('<input type="hidden" name="next" value="/calls?status=failed" />')
  const email = 'ada@example.com'
  const wrong = await send('/sign-in', { email, password: 'wrong password', next: '/calls' })
  expect(await wrong.text()).toContain('<input type="hidden" name="next" value="/calls" />')
  const entered = await send('/sign-in', { email, password, next: '/calls?status=failed' })
  expect(entered.headers.get('location')).toBe('/calls?status=failed')
  const cookie = cookieOf(entered)
  expect((await visit('/sign-in?next=/calls', { cookie })).headers.get('location')).toBe('/calls')
  for (const evil of ['https://evil.example', '//evil.example', '/\\evil.example', '/sign-out']) {
    const there = await send('/sign-in', { email, password, next: evil })
    expect(there.headers.get('location')).toBe('/')
    expect(await (await visit(`/sign-in?next=${encodeURIComponent(evil)}`)).text()).not.toContain(
      'name="next"',
    )
  }
  const sent = await api.createSignInLink(webOwner)
  expect(await (await visit(`${sent.url}&next=/calls`)).text()).toContain('value="/calls"')
  const link = new URL(sent.url, host).searchParams.get('token') ?? ''
  const used = await send('/sign-in/link', { token: link, next: '/calls' })
  expect(used.headers.get('location')).toBe('/calls')
  const path = await api.createStartLink(webOwner)
  const opened = {
    'sec-fetch-site': 'none',
    'sec-fetch-mode': 'navigate',
    'sec-fetch-dest': 'document',
  }
  expect((await visit(`${path}&next=/calls`, opened)).headers.get('location')).toBe('/calls')
})

test('the account has moved into the console', async () => {
  const { visit } = await openSite()
  const moved = await visit('/account')
  expect([moved.status, moved.headers.get('location')]).toEqual([303, '/settings/account'])
})

test('signing in sets a fresh cookie, never one that was planted', async () => {
  const { send, join, visit } = await openSite()
  await join('ada@example.com')
  const planted = await join('mallory@example.com')
  const entered = await send(
    '/sign-in',
    { email: 'ada@example.com', password },
    { cookie: planted, origin: host },
  )
  expect(cookieOf(entered)).not.toBe(planted)
  expect((await visit('/api/v1/account', { cookie: planted })).status).toBe(401)
})

test('the API signs in for pages, never for other sites, and in JSON alone', async () => {
  const { app, join, visit } = await openSite()
  await join('ada@example.com')
  const body = JSON.stringify({ email: 'ada@example.com', password })
  const post = (path: string, headers: Record<string, string>, content?: string) =>
    app.request(host + path, { method: 'POST', headers, body: content })
  const type = { 'content-type': 'application/json' }
  const entered = await post('/api/v1/sign-in', { ...type, origin: host }, body)
  expect(entered.status).toBe(200)
  expect(await entered.json()).toMatchObject({
    signIn: { method: 'password' },
    member: { email: 'ada@example.com', role: 'member' },
  })
  const evil = { ...type, origin: 'https://evil.example' }
  expect((await post('/api/v1/sign-in', evil, body)).status).toBe(403)
  expect((await post('/api/v1/sign-in', { 'content-type': 'text/plain' }, body)).status).toBe(415)
  const cookie = cookieOf(entered)
  expect((await post('/api/v1/sign-out', { cookie })).status).toBe(403)
  expect((await post('/api/v1/sign-out', { cookie, origin: host })).status).toBe(204)
  expect((await visit('/api/v1/account', { cookie })).status).toBe(401)
})

test('a try too many is answered with how long to wait', async () => {
  const { app, join } = await openSite()
  await join('ada@example.com')
  const headers = { 'content-type': 'application/json' }
  const answers: number[] = []
  let last = new Response()
  for (let at = 0; at < 14 && last.status !== 429; at += 1) {
    const body = JSON.stringify({ email: 'ada@example.com', password: `wrong ${at}` })
    last = await app.request(`${host}/api/v1/sign-in`, { method: 'POST', headers, body })
    answers.push(last.status)
  }
  expect(answers.slice(0, 6)).toEqual([401, 401, 401, 401, 401, 401])
  expect(Number(last.headers.get('retry-after'))).toBeGreaterThanOrEqual(1)
  expect(await last.json()).toMatchObject({
    code: 'rate_limited',
    retryAfterMs: 1000 * Number(last.headers.get('retry-after')),
  })
})
