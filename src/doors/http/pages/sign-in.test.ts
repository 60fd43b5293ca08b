import { expect, test } from 'vitest'
import { useDoors, webOwner } from '../testing/open-door.ts'
import { createAuthThrottle } from '../request/auth-throttle.ts'
import type { HttpRequest } from '../request/http-request.ts'
import { clientAddress } from '../request/client-address.ts'
import { createBrowser } from '../request/browser.ts'

const host = 'http://localhost:4680'
const openDoor = useDoors()

/** As a browser sends them that was given an address by its user. */
const opened = {
  'sec-fetch-site': 'none',
  'sec-fetch-mode': 'navigate',
  'sec-fetch-dest': 'document',
}

function openSite(publicUrl?: string, limits: { heartbeatMs?: number } = {}) {
  const door = openDoor({ publicUrl, limits })
  const visit = (path: string, headers: Record<string, string> = opened, method = 'GET') =>
    door.app.request(host + path, { method, headers })
  const link = async (opensAtOnce = true) =>
    opensAtOnce
      ? door.api.createStartLink(webOwner)
      : (await door.api.createSignInLink(webOwner)).url
  return { ...door, visit, link }
}

const cookieOf = (response: Response) =>
  (response.headers.get('set-cookie') ?? '').split(';')[0] ?? ''

test('a link signs in once, with a cookie that scripts can not read', async () => {
  const { visit, link } = openSite()
  const path = await link()
  const response = await visit(path, opened)
  expect(response.status).toBe(303)
  expect(response.headers.get('location')).toBe('/')
  expect(response.headers.get('set-cookie')).toMatch(
    /^toolcrib_4680=[\w-]{43}; Max-Age=2592000; Path=\/; HttpOnly; SameSite=Lax$/,
  )
  const cookie = cookieOf(response)
  expect((await visit('/', { cookie })).status).toBe(200)
  const again = await visit(path)
  expect(again.status).toBe(401)
  expect(await again.text()).toContain('This link no longer works')
  expect((await visit(path, { cookie })).status).toBe(303)
})

test('looking at a link does not use it up', async () => {
  const { visit, link } = openSite()
  const path = await link()
  expect((await visit(path, {}, 'HEAD')).status).toBe(204)
  expect((await visit(path, { 'sec-purpose': 'prefetch;prerender' })).status).toBe(204)
  const looks: Record<string, string>[] = [
    {},
    { ...opened, 'sec-fetch-dest': 'image', 'sec-fetch-mode': 'no-cors' },
    { ...opened, 'sec-fetch-dest': 'iframe' },
    { ...opened, 'sec-fetch-site': 'cross-site' },
    { 'user-agent': 'Slackbot-LinkExpanding 1.0 (+https://api.slack.com/robots)' },
  ]
  for (const headers of looks) {
    const look = await visit(path, headers)
    expect([look.status, look.headers.get('set-cookie')]).toEqual([200, null])
    expect(await look.text()).toContain('action="/sign-in/link"')
  }
  expect((await visit(path, opened)).status).toBe(303)
})

test('a link that was made to be sent is used up by its button and not by opening it', async () => {
  const { app, visit, link } = openSite()
  const path = await link(false)
  const token = path.slice(path.indexOf('=') + 1)
  const press = (origin: string) =>
    app.request(`${host}/sign-in/link`, {
      method: 'POST',
      headers: { origin, 'content-type': 'application/x-www-form-urlencoded' },
      body: new URLSearchParams({ token }).toString(),
    })
  for (const look of [await visit(path), await visit(path)]) {
    expect(look.status).toBe(200)
    expect(look.headers.get('set-cookie')).toBeNull()
    const page = await look.text()
    expect(page).toContain('signs you in as <strong>Owner</strong>')
    expect(page).toContain(`<input type="hidden" name="token" value="${token}" />`)
  }
  expect((await press('https://evil.example')).status).toBe(403)
  const entered = await press(host)
  expect(entered.status).toBe(303)
  expect((await visit('/', { cookie: cookieOf(entered) })).status).toBe(200)
  for (const late of [await press(host), await visit(path)]) {
    expect(late.status).toBe(401)
    expect(await late.text()).toContain('This link no longer works')
  }
})

test('behind https the cookie is secure and bound to its host', async () => {
  const { visit, link } = openSite('https://crib.example')
  const response = await visit(await link())
  expect(response.headers.get('set-cookie')).toMatch(
    /^__Host-toolcrib=[\w-]{43}; Max-Age=2592000; Path=\/; HttpOnly; SameSite=Lax; Secure$/,
  )
})

test('a signed-in browser reads the API, and changes things only from our own pages', async () => {
  const { visit, link } = openSite()
  const cookie = cookieOf(await visit(await link()))
  expect((await visit('/api/v1/tools', { cookie })).status).toBe(200)
  const call = async (headers: Record<string, string>) =>
    (await visit('/api/v1/tools/text.echo/calls', { cookie, ...headers }, 'POST')).status
  expect(await call({})).toBe(403)
  expect(await call({ origin: 'https://evil.example' })).toBe(403)
  expect(await call({ origin: 'null' })).toBe(403)
  expect(await call({ 'sec-fetch-site': 'cross-site', origin: host })).toBe(403)
  expect(await call({ 'sec-fetch-site': 'same-site' })).toBe(403)
  expect(await call({ origin: 'http://localhost:9999' })).toBe(403)
  expect(await call({ origin: host })).toBe(200)
  expect(await call({ 'sec-fetch-site': 'same-origin', origin: host })).toBe(200)
})

test('signing out ends the streams of the browser', async () => {
  const { visit, link } = openSite(undefined, { heartbeatMs: 15 })
  const cookie = cookieOf(await visit(await link()))
  const quiet = '/api/v1/events?types=key.created&after=now'
  const stream = await visit(quiet, { cookie, accept: 'text/event-stream' })
  setTimeout(() => void visit('/sign-out', { cookie, origin: host }, 'POST'), 40)
  const text = await stream.text()
  expect(text).toMatch(/^: heartbeat[\s\S]*event: error\ndata: .*"unauthorized"/)
})

test('calls of a signed-in browser run as the web, and its cookie is opaque', async () => {
  const { visit, link, requests } = openSite()
  const cookie = cookieOf(await visit(await link()))
  await visit('/api/v1/tools/text.echo/calls', { cookie, origin: host }, 'POST')
  expect(requests[0]?.caller).toEqual({
    ...webOwner,
    signInId: expect.stringMatching(/^ses_/),
  })
  expect((await visit('/api/v1/tools', { cookie: `${cookie}x` })).status).toBe(401)
})

test('signing out ends the sign-in, and other sites can not do it', async () => {
  const { visit, link } = openSite()
  const cookie = cookieOf(await visit(await link()))
  expect(
    (await visit('/sign-out', { cookie, origin: 'https://evil.example' }, 'POST')).status,
  ).toBe(403)
  expect((await visit('/', { cookie })).status).toBe(200)
  const out = await visit('/sign-out', { cookie, origin: host }, 'POST')
  expect(out.headers.get('set-cookie')).toBe(
    'toolcrib_4680=; Max-Age=0; Path=/; HttpOnly; SameSite=Lax',
  )
  expect((await visit('/', { cookie })).status).toBe(401)
})

test('without a build of the console the home page explains how to get one', async () => {
  const { visit, link } = openSite()
  const cookie = cookieOf(await visit(await link()))
  const page = await (await visit('/', { cookie })).text()
  expect(page).toContain('The console is not built')
  expect(page).toContain('npm start')
  expect(page).not.toMatch(/<script|style=|onclick/)
})

test('a visitor who is not signed in gets instructions', async () => {
  const { visit } = openSite()
  const response = await visit('/')
  expect(response.status).toBe(401)
  const page = await response.text()
  expect(page).toContain('toolcrib dev')
  expect(page).toContain('/sign-in?token=…')
})

test('the API can be read without a key, a script or another host', async () => {
  const { visit, app } = openSite()
  const page = await (await visit('/docs')).text()
  for (const [path, methods] of Object.entries(app.openApi().paths)) {
    expect(page).toContain(`<code>${path}</code>`)
    for (const { operationId } of Object.values(methods))
      expect(page).toContain(`id="${operationId}"`)
  }
  expect(page).toContain('id="error-tool_not_found"')
  expect(page).not.toMatch(/<script|style=|https?:\/\/(?!localhost)/)
  const style = await visit('/assets/toolcrib.css')
  expect(style.headers.get('content-type')).toBe('text/css; charset=utf-8')
  expect(style.headers.get('cache-control')).toBe('public, max-age=31536000, immutable')
})

test('a cookie of another crib on the same machine is not ours', async () => {
  const { api } = openDoor()
  const throttle = createAuthThrottle({ perMinute: 100, trustedProxies: 0 })
  const options = { api, publicUrl: undefined, trustedProxies: 0, throttle }
  const browser = createBrowser(options)
  const at = (url: string, cookie = '') =>
    ({ url, header: (name: string) => (name === 'cookie' ? cookie : undefined) }) as HttpRequest
  const path = await api.createStartLink(webOwner)
  const token = path.slice(path.indexOf('=') + 1)
  const opened = await api.signInByLink(token, {})
  const cookie = browser.enter(at('http://localhost:1/'), opened).split(';')[0] ?? ''
  expect(await browser.find(at('http://localhost:1/x', cookie))).toMatchObject(webOwner)
  expect(await browser.find(at('http://localhost:2/x', cookie))).toBeUndefined()
  expect(await browser.find(at('http://localhost:1/', `a=b; ${cookie}; c`))).toMatchObject(webOwner)
})

test('only what the trusted proxies have written counts as address', () => {
  const from = (forwarded: string | undefined, trusted: number) => {
    const header = (name: string) => (name === 'x-forwarded-for' ? forwarded : undefined)
    return clientAddress({ address: '10.0.0.9', header }, trusted)
  }
  expect(from('1.1.1.1', 0)).toBe('10.0.0.9')
  expect(from('6.6.6.6, 1.1.1.1', 1)).toBe('1.1.1.1')
  expect(from('6.6.6.6, 1.1.1.1, 10.0.0.2', 2)).toBe('1.1.1.1')
  expect(from('evil', 1)).toBe('10.0.0.9')
  expect(from(undefined, 1)).toBe('10.0.0.9')
  expect(from('1.1.1.1', 3)).toBe('10.0.0.9')
})
