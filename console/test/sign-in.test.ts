import type { BrowserContext, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { look } from './setup/look.ts'
import { startOidcProvider } from './setup/oidc-provider.ts'
import { hasChromium } from './setup/open-browser.ts'
import { openConsole } from './setup/open-console.ts'
import type { OpenConsole } from './setup/open-console.ts'
import { exampleTools, writeConfig } from './setup/write-config.ts'

const password = 'correct horse battery'

describe.skipIf(!hasChromium)('signing in', () => {
  let crib: OpenConsole
  let provider: Awaited<ReturnType<typeof startOidcProvider>>
  let member: string
  const email = 'ada@example.com'
  beforeAll(async () => {
    provider = await startOidcProvider('example')
    const { issuer } = provider
    const oidc = { name: 'example', label: 'Continue with Example', issuer, clientId: 'crib' }
    const config = await writeConfig({
      tools: [exampleTools],
      signIn: { oidc: [{ ...oidc, clientSecretEnv: 'CRIB_SECRET' }] },
    })
    crib = await openConsole({ config, env: { CRIB_SECRET: 'a secret of the client' } })
    member = await join(crib, email)
  })
  afterAll(async () => {
    await crib.close()
    provider.stop()
  })

  test('signing in leads to the requested page; a wrong password shows an error', async () => {
    const { page, context } = await stranger(crib)
    await page.goto('/calls?status=failed')
    await page.getByRole('heading', { name: 'Sign in to Toolcrib' }).waitFor()
    await look(page, 'sign-in')
    await page.getByLabel('Email address').fill(email)
    await page.getByLabel('Password').fill('not the password')
    await page.getByRole('button', { name: 'Sign in' }).click()
    await page.getByRole('alert').getByText('The address or the password is wrong.').waitFor()
    expect(await page.getByLabel('Email address').inputValue()).toBe(email)
    await look(page, 'sign-in-wrong')
    await page.getByLabel('Password').fill(password)
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { level: 1, name: 'Calls' }).waitFor()
    expect(await page.evaluate(() => location.pathname + location.search)).toBe(
      '/calls?status=failed',
    )
    await page.goto('/account')
    await page.getByRole('heading', { level: 1, name: 'Account' }).waitFor()
    await page.goto('/sign-in?next=https%3A%2F%2Fevil.example')
    await page.getByRole('heading', { level: 1 }).first().waitFor()
    expect(new URL(page.url()).origin).toBe(crib.server.url)
    await context.close()
  })

  test('a provider signs in and leads to where one was going; signed out, the colours are still the chosen ones', async () => {
    const { page, context } = await stranger(crib)
    await page.goto('/calls?status=failed')
    await page.getByRole('link', { name: 'Continue with Example' }).click()
    await page.getByRole('heading', { level: 1, name: 'Calls' }).waitFor()
    const { origin, pathname, search } = new URL(page.url())
    expect([origin, pathname + search]).toEqual([crib.server.url, '/calls?status=failed'])
    await page.goto('/settings/account')
    await page.getByText(email).first().waitFor()
    const background = () => page.evaluate(() => getComputedStyle(document.body).backgroundColor)
    await page.getByRole('button', { name: 'Use dark colours' }).click()
    await page.getByRole('button', { name: 'Use light colours' }).waitFor()
    await endSignIns(crib, member)
    await page.goto('/sign-in')
    await page.getByRole('heading', { name: 'Sign in to Toolcrib' }).waitFor()
    expect(await background()).toBe('rgb(9, 11, 16)')
    await look(page, 'sign-in-dark')
    // The chosen scheme overrides the system's, in both directions.
    await signIn(page, '/tools')
    await page.getByRole('button', { name: 'Use light colours' }).click()
    await endSignIns(crib, member)
    await page.emulateMedia({ colorScheme: 'dark' })
    await page.goto('/nowhere-at-all')
    expect(await background()).toBe('rgb(249, 250, 251)')
    await context.close()
  })

  test('a session that ends in the middle of a form is taken up in place, with all that was typed', async () => {
    const { page, context } = await stranger(crib)
    await signIn(page, '/schedules?tool=demo.list-notes')
    const editor = page.getByRole('dialog', { name: 'New schedule' })
    const name = editor.getByRole('textbox', { name: /^Name/ })
    await name.fill('Half typed')
    await endSignIns(crib, member)
    const ended = page.getByRole('dialog', { name: 'You are signed out' })
    await ended.waitFor()
    await look(page, 'session-ended')
    await ended.getByLabel('Password', { exact: true }).fill('not the password')
    await page.keyboard.press('Enter')
    await ended.getByText('The address or the password is wrong').waitFor()
    await page.keyboard.press('Escape')
    await ended.getByLabel('Password', { exact: true }).fill(password)
    await page.keyboard.press('Enter')
    await ended.waitFor({ state: 'hidden' })
    expect(await name.inputValue()).toBe('Half typed')
    await editor.getByRole('button', { name: 'Create schedule' }).click()
    await page.getByRole('dialog', { name: 'Half typed' }).getByText('Active').waitFor()
    // The stream continues: changes made elsewhere appear on the screen.
    await page.getByRole('dialog').getByRole('button', { name: 'Close' }).click()
    const made = await crib.server.request('/api/v1/schedules', {
      json: { name: 'Made elsewhere', tool: 'demo.list-notes', when: { every: '1h' } },
    })
    expect(made.status).toBe(201)
    await page.getByRole('button', { name: 'Made elsewhere', exact: true }).waitFor()
    await context.close()
  })

  test('one can also sign in in another tab, and this one notices', async () => {
    const { page, context } = await stranger(crib)
    await signIn(page, '/settings/account')
    await page.getByRole('button', { name: 'Sign out everywhere', exact: true }).waitFor()
    await endSignIns(crib, member)
    const ended = page.getByRole('dialog', { name: 'You are signed out' })
    await ended.waitFor()
    const [other] = await Promise.all([
      context.waitForEvent('page'),
      ended.getByRole('link', { name: 'Another way to sign in' }).click(),
    ])
    await other.getByLabel('Email address').fill(email)
    await other.getByLabel('Password').fill(password)
    await other.getByRole('button', { name: 'Sign in' }).click()
    await other.getByRole('heading', { level: 1, name: 'Tools' }).waitFor()
    await other.close()
    await page.bringToFront()
    await page.evaluate(() => window.dispatchEvent(new Event('focus')))
    await ended.waitFor({ state: 'hidden' })
    await page.getByText('this browser').waitFor()
    expect(new URL(page.url()).pathname).toBe('/settings/account')
    await context.close()
  })

  test('expired links and invitations show a notice, and too many attempts must wait', async () => {
    const { page, context } = await stranger(crib)
    await page.goto(crib.server.signIn)
    await page.getByRole('heading', { name: 'This link no longer works' }).waitFor()
    await look(page, 'sign-in-link-over')
    await page.goto('/invitation?token=never')
    await page.getByRole('heading', { name: 'This invitation no longer works' }).waitFor()
    await look(page, 'invitation-over')
    const tries = Array.from({ length: 12 }, (_, at) => at)
    let isLimited = false
    for (const at of tries) {
      const answer = await context.request.post('/api/v1/sign-in', {
        data: { email: 'eve@example.com', password: `wrong ${at}` },
      })
      isLimited = answer.status() === 429
      if (isLimited) break
    }
    expect(isLimited).toBe(true)
    await page.goto('/sign-in')
    await page.getByLabel('Email address').fill('eve@example.com')
    await page.getByLabel('Password').fill('wrong again')
    await page.getByRole('button', { name: 'Sign in' }).click()
    await page
      .getByRole('alert')
      .getByText(/too many|wait|again/i)
      .waitFor()
    await look(page, 'sign-in-limited')
    await context.close()
  })
})

async function stranger(crib: OpenConsole): Promise<{ context: BrowserContext; page: Page }> {
  const context = await crib.browser.newContext({
    baseURL: crib.server.url,
    viewport: { width: 1360, height: 850 },
    reducedMotion: 'reduce',
  })
  return { context, page: await context.newPage() }
}

/** An operator with a password; gives the id. */
async function join({ server }: OpenConsole, email: string): Promise<string> {
  const invited = await server.request('/api/v1/invitations', {
    json: { email, role: 'operator' },
  })
  const { url } = (await invited.json()) as { url: string }
  const accepted = await fetch(`${server.url}/api/v1/invitations/accept`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ token: new URL(url).searchParams.get('token'), name: 'Ada', password }),
  })
  const { member } = (await accepted.json()) as { member: { id: string } }
  return member.id
}

async function signIn(page: Page, next: string): Promise<void> {
  await page.goto(next)
  await page.getByLabel('Email address').fill('ada@example.com')
  await page.getByLabel('Password').fill(password)
  await page.getByRole('button', { name: 'Sign in' }).click()
}

async function endSignIns({ server }: OpenConsole, member: string): Promise<void> {
  const ended = await server.request(`/api/v1/sign-ins?member=${member}`, { method: 'DELETE' })
  expect(ended.status).toBe(200)
}
