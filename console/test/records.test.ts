import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { look } from './setup/look.ts'
import { hasChromium } from './setup/open-browser.ts'
import { openConsole } from './setup/open-console.ts'
import type { OpenConsole } from './setup/open-console.ts'
import { visit } from './setup/visit.ts'

const tools = path.join(import.meta.dirname, '../../test/fixtures/console-calls')

describe.skipIf(!hasChromium)('usage and audit in the console', () => {
  let crib: OpenConsole
  beforeAll(async () => {
    crib = await openConsole({ args: ['--tools', tools] })
  })
  afterEach(() => Promise.all(crib.context.pages().map((page) => page.close())))
  afterAll(() => crib.close())

  const send = (method: string, route: string, body?: unknown) =>
    crib.server.request(route, {
      method,
      ...(body !== undefined && { body: JSON.stringify(body) }),
    })
  const call = (tool: string, input: unknown) =>
    send('POST', `/api/v1/tools/${tool}/calls`, { input })

  /** A page of somebody with this role. */
  async function openAs(role: string, address: string) {
    const member = await send('POST', '/api/v1/members', { email: `${role}@example.com`, role })
    const { id } = (await member.json()) as { id: string }
    const link = await send('POST', '/api/v1/sign-in-links', { member: id })
    const { url } = (await link.json()) as { url: string }
    const context = await crib.browser.newContext({ viewport: { width: 1360, height: 850 } })
    const page = await context.newPage()
    await page.goto(url)
    await page.getByRole('button', { name: 'Sign in' }).click()
    await page.getByRole('navigation', { name: 'Main' }).waitFor()
    await visit(page, address)
    return page
  }

  test('a crib without usage shows an empty state', async () => {
    const page = await crib.open('/usage')
    await page.getByText('No settled calls in the last 30 days').waitFor()
    await page.getByText('No limits yet.').waitFor()
    await look(page, 'usage-empty')
  })

  test('usage shows sums, days and who used most, and takes the question from the address', async () => {
    for (const text of ['one', 'two', 'three']) await call('records.mark', { text })
    await call('records.broken', {})
    // The figures are a second behind.
    const counted = async () => {
      const used = await send('GET', '/api/v1/usage?by=day')
      const { items } = (await used.json()) as { items: { calls: number }[] }
      return items.reduce((sum, { calls }) => sum + calls, 0)
    }
    await expect.poll(counted).toBe(4)
    const page = await crib.open('/usage')
    await page.getByRole('button', { name: /^Calls 4 75% completed/ }).waitFor()
    await page.getByRole('link', { name: 'records.mark' }).waitFor()
    await page.locator('.recharts-surface').first().waitFor()
    await page.getByText(/^\d+ ms on average · p95 \d+ ms$/).waitFor()
    await look(page, 'usage')
    const bar = page.locator('.recharts-bar-rectangle path').first()
    await bar.click()
    await page.waitForURL(/\/calls\?from=\d{4}-\d\d-\d\d&to=/)
    await page.getByText('records.broken').first().waitFor()
    await page.goBack()
    await page.getByRole('button', { name: /^Cost 7\.5/ }).click()
    await page.getByRole('heading', { name: 'Cost per day' }).waitFor()
    await page.getByRole('button', { name: 'Show table' }).click()
    await page.getByRole('cell', { name: '7.5 units' }).waitFor()
    await page.getByRole('cell').getByRole('link').waitFor()
    await page.getByText('Callers').click()
    await page.getByRole('link', { name: 'Owner' }).waitFor()
    const { searchParams } = new URL(page.url())
    expect(Object.fromEntries(searchParams)).toEqual({
      show: 'cost',
      view: 'table',
      by: 'principal',
    })
    await page.reload()
    await page.getByRole('cell', { name: '7.5 units' }).waitFor()
    await look(page, 'usage-table')
  })

  test('a limit is set, shows how much of it is used, and is removed', async () => {
    const page = await crib.open('/usage')
    await page.getByRole('button', { name: 'New limit' }).click()
    const form = page.getByRole('dialog')
    await form.getByRole('textbox', { name: 'Name' }).fill('mark pace')
    await form.getByRole('textbox', { name: 'Calls per minute' }).fill('2')
    await look(page, 'usage-set-limit')
    await form.getByRole('button', { name: 'Save limit' }).click()
    // Errors of the server are shown in the form.
    await form.getByRole('alert').waitFor()
    await form.getByRole('textbox', { name: 'Name' }).fill('mark-pace')
    await form.getByRole('button', { name: 'Save limit' }).click()
    await form.waitFor({ state: 'detached' })
    await expect.poll(async () => (await call('records.mark', { text: 'x' })).status).toBe(429)
    await page.reload()
    await page.getByText('2 of 2 calls per minute · limit reached').waitFor()
    await look(page, 'usage-limits')
    await page.getByRole('button', { name: 'Remove limit mark-pace' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Remove' }).click()
    await page.getByText('No limits yet.').waitFor()
    crib.faults.splice(0, crib.faults.length, ...crib.faults.filter((one) => !/4\d\d/.test(one)))
  })

  test('the log shows who did what, updates live, and opens to before and after', async () => {
    const page = await crib.open('/audit')
    const grid = page.getByRole('grid')
    await grid.getByText('records.broken').first().waitFor()
    await look(page, 'audit')
    await send('PUT', '/api/v1/secrets/console_secret', { value: 'not to be seen here' })
    await grid.getByText('Secret written').waitFor()
    await send('POST', '/api/v1/members', { email: 'ada@example.com', role: 'member' })
    const { items } = (await (await send('GET', '/api/v1/members')).json()) as {
      items: { id: string; email?: string }[]
    }
    const ada = items.find(({ email }) => email === 'ada@example.com')
    await send('PATCH', `/api/v1/members/${ada?.id}`, { role: 'operator' })
    await grid.getByText('Member changed').first().click()
    const panel = page.getByRole('dialog')
    await panel.getByRole('row', { name: /role member operator/ }).waitFor()
    expect(new URL(page.url()).searchParams.get('id')).not.toBeNull()
    await look(page, 'audit-panel')
    expect(await page.content()).not.toContain('not to be seen here')
  })

  test('the log is searched and filtered from the address', async () => {
    const page = await crib.open('/audit?action=calls&outcome=failed')
    const grid = page.getByRole('grid')
    await grid.getByText('Call failed').first().waitFor()
    expect(await grid.getByText('Call completed').count()).toBe(0)
    await page.getByRole('button', { name: 'Clear all' }).click()
    await grid.getByText('Call completed').first().waitFor()
    await page.getByRole('textbox', { name: 'Search events' }).fill('no such text anywhere')
    await page.getByText('No events found').waitFor()
    expect(new URL(page.url()).searchParams.get('q')).toBe('no such text anywhere')
    await look(page, 'audit-none-fit')
    await page.getByRole('button', { name: 'Clear filters' }).click()
    await grid.waitFor()
    expect(await page.getByRole('textbox', { name: 'Search events' }).inputValue()).toBe('')
  })

  test('the chain is checked, and a copy taken', async () => {
    const page = await crib.open('/audit')
    await page.getByRole('button', { name: 'Verify' }).click()
    await page.getByRole('button', { name: 'Verify log' }).click()
    await page.getByText('Log verified').waitFor()
    await look(page, 'audit-verified')
    await page
      .getByRole('textbox', { name: 'Saved checkpoint (optional)' })
      .fill(`1:${'0'.repeat(64)}`)
    await page.getByRole('button', { name: 'Verify log' }).click()
    await page.getByText('1 problem found').waitFor()
    await look(page, 'audit-tampered')
    await page.keyboard.press('Escape')
    await page.getByRole('button', { name: 'Export' }).click()
    const download = page.waitForEvent('download')
    await page.getByRole('menuitem', { name: 'CSV' }).click()
    const copy = await readFile(await (await download).path(), 'utf8')
    expect(copy.split('\n')[0]).toContain('"id","at","type"')
    expect(copy).toContain('records.mark')
    await page.getByText(/^\d+ events exported$/).waitFor()
  })

  test('people without access see a notice', async () => {
    const page = await openAs('member', '/audit')
    await page.getByText('You don’t have access to this').waitFor()
    await look(page, 'audit-not-allowed')
    await visit(page, '/usage')
    await page.getByText('You need the permission usage.read to see usage.').waitFor()
    await look(page, 'usage-not-allowed')
    await visit(page, '/calls')
    await page.getByText('Your own calls, as they happen.').waitFor()
    await page.getByText('No calls yet').waitFor()
    await page.context().close()
  })
})
