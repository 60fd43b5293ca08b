import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { glance, isThorough, look } from './setup/look.ts'
import { hasChromium } from './setup/open-browser.ts'
import { openConsole } from './setup/open-console.ts'
import type { OpenConsole } from './setup/open-console.ts'
import { signInMember } from './setup/sign-in-member.ts'
import { visit } from './setup/visit.ts'

const password = 'correct horse battery'
const screens = [
  '/tools',
  '/chat',
  '/approvals',
  '/calls',
  '/workspaces',
  '/agents',
  '/skills',
  '/mcp-servers',
  '/apis',
  '/secrets',
  '/schedules',
  '/usage',
  '/audit',
  '/settings/account',
  '/settings/connect',
  '/settings/members',
  '/settings/keys',
  '/settings/sign-in',
  '/settings/labels',
  '/settings/network',
  '/settings/sandbox',
  '/settings/retention',
  '/settings/tenants',
  '/settings/about',
]

describe.skipIf(!hasChromium)('settings', () => {
  let crib: OpenConsole
  beforeAll(async () => (crib = await openConsole()))
  afterAll(() => crib.close())

  test('somebody is invited, joins in another browser, is changed, suspended and removed', async () => {
    const page = await crib.open('/settings/members')
    await page.getByRole('button', { name: 'Invite someone' }).click()
    const dialog = page.getByRole('dialog', { name: 'Invite someone' })
    await dialog.getByLabel(/^Email address/).fill('noor@example.com')
    await dialog.getByText('Calls tools and chats with agents.').waitFor()
    await look(page, 'members-invite')
    await dialog.getByRole('button', { name: 'Create invitation' }).click()
    const once = page.getByRole('dialog', { name: 'Invitation for noor@example.com' })
    const link = (await once.locator('code').textContent()) ?? ''
    await look(page, 'members-invited')

    const context = await crib.browser.newContext({ reducedMotion: 'reduce' })
    const theirs = await context.newPage()
    await theirs.goto(link)
    await theirs.getByRole('heading', { name: 'Join Default' }).waitFor()
    await look(theirs, 'invitation')
    await theirs.getByLabel('Name').fill('نور')
    await theirs.getByLabel('Password').fill(password)
    await theirs.getByRole('button', { name: 'Join' }).click()
    await theirs.getByRole('navigation', { name: 'Main' }).waitFor()
    await visit(theirs, '/settings/account')
    await theirs.getByRole('button', { name: 'Change your name' }).click()
    await theirs.getByRole('textbox', { name: 'Name' }).fill('Noor ❤')
    await look(theirs, 'account-name')
    await theirs.getByRole('textbox', { name: 'Name' }).fill('نور')
    await theirs.keyboard.press('Enter')
    await theirs.getByText('Name saved').waitFor()

    await once.getByRole('button', { name: 'Done' }).click()
    const row = page
      .getByRole('table', { name: 'Members' })
      .getByRole('row')
      .filter({ hasText: 'نور' })
    await row.getByText('member', { exact: true }).waitFor()
    await row.getByRole('button', { name: 'Actions for نور' }).click()
    await page.getByRole('menuitem', { name: 'Edit name and role' }).click()
    const changing = page.getByRole('dialog', { name: 'Edit نور' })
    await changing.getByRole('combobox', { name: 'Role', exact: true }).click()
    await page.getByRole('option', { name: 'viewer' }).click()
    await changing.getByRole('button', { name: 'Save' }).click()
    await row.getByText('viewer').waitFor()
    await look(page, 'members')

    const owner = page
      .getByRole('table', { name: 'Members' })
      .getByRole('row')
      .filter({ hasText: 'you' })
    await owner.getByRole('button', { name: 'Actions for Owner' }).click()
    expect(await page.getByRole('menuitem', { name: 'Suspend' }).isDisabled()).toBe(true)
    expect(await page.getByRole('menuitem', { name: 'Remove' }).isDisabled()).toBe(true)
    await page.keyboard.press('Escape')

    await row.getByRole('button', { name: 'Actions for نور' }).click()
    await page.getByRole('menuitem', { name: 'Suspend' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Suspend' }).click()
    await row.getByText('suspended').waitFor()
    await theirs.getByRole('dialog', { name: 'You are signed out' }).waitFor()
    await context.close()
    await row.getByRole('button', { name: 'Actions for نور' }).click()
    await page.getByRole('menuitem', { name: 'Remove' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Remove' }).click()
    await row.waitFor({ state: 'detached' })
    await page.close()
  })

  test('a network rule is written, previewed, explained, changed and deleted', async () => {
    const page = await crib.open('/settings/network')
    await page.getByRole('table', { name: 'Network rules' }).waitFor()
    await page.getByRole('button', { name: 'Add rule' }).click()
    const dialog = page.getByRole('dialog', { name: 'Add network rule' })
    await dialog.getByLabel(/^Name/).fill('No trackers')
    await dialog.getByText('Use lower case letters, digits and dashes').waitFor()
    await dialog.getByLabel(/^Name/).fill('no-trackers')
    const deny = dialog.getByRole('combobox', { name: /^Deny/ })
    await deny.fill('https://tracker.example')
    await deny.press('Enter')
    await dialog.getByText(/write the host alone/).waitFor()
    await deny.press('Backspace')
    await deny.fill('*.tracker.example')
    await deny.press('Enter')
    await dialog.getByLabel(/^Note/).fill('They follow people')
    await look(page, 'network-new')
    await dialog.getByRole('button', { name: 'Review' }).click()
    const changes = dialog.getByRole('list', { name: 'What would change' })
    await changes.getByText('Denied', { exact: true }).first().waitFor()
    await look(page, 'network-review')
    await dialog.getByRole('button', { name: 'Save', exact: true }).click()
    const row = page.getByRole('row').filter({ hasText: 'no-trackers' })
    await row.getByText('*.tracker.example').waitFor()
    await page.getByRole('textbox', { name: 'Host' }).fill('a.tracker.example')
    await page.getByRole('button', { name: 'Check', exact: true }).click()
    await page.getByText('no-trackers: *.tracker.example').first().waitFor()
    await look(page, 'network')
    await row.getByRole('button', { name: 'Actions for no-trackers' }).click()
    await page.getByRole('menuitem', { name: 'Delete' }).click()
    const deleting = page.getByRole('dialog', { name: 'Delete no-trackers?' })
    await deleting.getByRole('button', { name: 'Delete', exact: true }).click()
    await row.waitFor({ state: 'detached' })
    expect(await page.getByRole('row').filter({ hasText: 'Built in' }).count()).toBeGreaterThan(0)
    await page.close()
  })

  test('the sandbox shows the result of its checks, and is tested again', async () => {
    const page = await crib.open('/settings/sandbox')
    const state = page.getByRole('region', { name: 'Sandbox' })
    await state.getByText(/^(?:Verified|Unavailable)$/).waitFor()
    await look(page, 'sandbox')
    await page.getByRole('button', { name: 'Run self-test again' }).click()
    await page.getByText(/^Self-test finished: (?:verified|unavailable)$/).waitFor()
    expect(await page.getByText('Unsandboxed').count()).toBe(0)
    await page.close()
  })

  test('a key is made, shown once, rotated, checked and revoked', async () => {
    const page = await crib.open('/settings/keys')
    await page.getByText('No keys yet').waitFor()
    await look(page, 'keys-empty')
    await page.getByRole('button', { name: 'New key' }).click()
    const dialog = page.getByRole('dialog', { name: 'New API key' })
    await dialog.getByLabel(/^Name/).fill('ci')
    await look(page, 'keys-new')
    await dialog.getByRole('button', { name: 'Create key' }).click()
    const once = page.getByRole('dialog', { name: 'ci' })
    const token = (await once.locator('code').textContent()) ?? ''
    expect(token).toMatch(/^crib_/)
    await look(page, 'keys-once')
    await once.getByRole('button', { name: 'Done' }).click()
    const row = page
      .getByRole('table', { name: 'API keys' })
      .getByRole('row')
      .filter({ hasText: 'ci' })
    await row.getByText('tools.call').waitFor()
    expect(await page.content()).not.toContain(token)

    // One that only looks like a key does not keep the live one from being named.
    const lookalike = `crib_${'a'.repeat(10)}_${'b'.repeat(39)}`
    await page.getByLabel('Text with keys').fill(`leaked: ${token}, id ${lookalike}`)
    await page.getByRole('button', { name: 'Check' }).click()
    await page.getByText('Not a key', { exact: true }).waitFor()
    await page.getByText('Active', { exact: true }).waitFor()
    await look(page, 'keys')
    await row.getByRole('button', { name: 'Actions for ci' }).click()
    await page.getByRole('menuitem', { name: 'Rotate' }).click()
    await page
      .getByRole('dialog', { name: 'Rotate ci' })
      .getByRole('button', { name: 'Rotate' })
      .click()
    const again = (await once.locator('code').textContent()) ?? ''
    expect(again).not.toBe(token)
    await once.getByRole('button', { name: 'Done' }).click()
    await row.getByText(/the old secret ends/).waitFor()
    await row.getByRole('button', { name: 'Actions for ci' }).click()
    await page.getByRole('menuitem', { name: 'Revoke' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Revoke' }).click()
    await page.getByText('No active keys').waitFor()
    await page.getByLabel(/Show expired and revoked keys/).check()
    await row.getByText('revoked').waitFor()
    await page.close()
  })

  test('oneself, the ways in, and what is configured', async () => {
    const page = await crib.open('/settings')
    await page.getByText('Set a password').waitFor()
    await look(page, 'account')
    await page.getByLabel(/^Email address/).fill('owner@example.com')
    await page.getByLabel(/^New password/).fill('short')
    await page.getByRole('button', { name: 'Save password' }).click()
    await page.getByText('must have at least 10 characters').waitFor()
    crib.faults.length = 0
    await page.getByLabel(/^New password/).fill(password)
    await page.getByRole('button', { name: 'Save password' }).click()
    await page.getByText('owner@example.com').first().waitFor()
    await visit(page, '/settings/connect')
    await glance(page, 'connect-without-key')
    await page.getByRole('button', { name: /Create key/ }).click()
    await page.getByText(/Bearer crib_/).waitFor()
    await look(page, 'connect')
    await page.getByRole('tab', { name: 'AI SDK' }).click()
    await page.getByText('connectCrib').first().waitFor()
    for (const section of ['sign-in', 'labels', 'retention', 'about']) {
      await visit(page, `/settings/${section}`)
      await page.getByRole('heading', { level: 2 }).first().waitFor()
      await look(page, `settings-${section}`)
    }
    await page.goto(`${crib.server.url}/settings/nowhere`)
    await page.getByText('Nothing is at this address').waitFor()
    await page.close()
  })

  test('a label shows how many tools it matches before it is saved', async () => {
    const page = await crib.open('/settings/labels')
    await page.getByRole('button', { name: 'New label' }).click()
    const dialog = page.getByRole('dialog', { name: 'New label' })
    const tools = dialog.getByRole('textbox', { name: 'Tools' })
    await tools.fill('delette')
    await dialog.getByText('delette matches no tool').waitFor()
    await look(page, 'settings-label')
    await tools.fill('demo.*')
    await dialog.getByText(/^demo\.\* matches \d+ tools$/).waitFor()
    await dialog.getByRole('checkbox', { name: 'Private data' }).check()
    await dialog.getByRole('button', { name: 'Save' }).click()
    await page.getByRole('row', { name: /demo\.\*.*private.*you on/ }).waitFor()
    await page.getByRole('button', { name: 'Remove label of demo.*' }).click()
    await page.getByText('No labels').waitFor()
    await page.close()
  })

  test('a tenant is made, acted in with a mark on every screen, left, and deleted by its name', async () => {
    const page = await crib.open('/settings/tenants')
    await page.getByRole('button', { name: 'New tenant' }).click()
    const dialog = page.getByRole('dialog', { name: 'New tenant' })
    await dialog.getByLabel(/^Slug/).fill('acme')
    await dialog.getByLabel(/^Name/).fill('Acme Ltd')
    await dialog.getByRole('button', { name: 'Create tenant' }).click()
    const row = page.getByRole('row').filter({ hasText: 'Acme Ltd' })
    await row.waitFor()
    await look(page, 'tenants')
    await row.getByRole('button', { name: 'Actions for Acme Ltd' }).click()
    await page.getByRole('menuitem', { name: 'Switch to it' }).click()
    const mark = page.getByRole('button', { name: /Acting in Acme Ltd/ })
    await mark.waitFor()
    // The mark appears before the screen, which is read again.
    await page.getByRole('heading', { level: 1 }).first().waitFor()
    await look(page, 'tenant-acted-in')
    await visit(page, '/settings/account')
    await page.getByText('Your account is in another tenant').waitFor()
    await mark.click()
    await mark.waitFor({ state: 'detached' })
    await visit(page, '/settings/tenants')
    await row.getByRole('button', { name: 'Actions for Acme Ltd' }).click()
    await page.getByRole('menuitem', { name: 'Delete' }).click()
    const deleting = page.getByRole('dialog', { name: 'Delete Acme Ltd?' })
    const yes = deleting.getByRole('button', { name: 'Delete permanently' })
    expect(await yes.isDisabled()).toBe(true)
    await deleting.getByLabel(/^Type acme/).fill('acme')
    await look(page, 'tenant-delete')
    await yes.click()
    await row.waitFor({ state: 'detached' })
    await page.close()
  })

  test.each(isThorough ? ['viewer', 'member'] : ['member'])(
    'a %s meets no error and no dead end on any screen',
    async (role) => {
      const context = await signInMember(crib, role)
      const page = await context.newPage()
      const refused: string[] = []
      page.on('response', (response) => {
        if (response.status() >= 400) refused.push(`${page.url()}: ${response.url()}`)
      })
      await page.goto('/settings/about')
      await page.getByRole('heading', { level: 1 }).first().waitFor()
      const closed: string[] = []
      for (const screen of screens) {
        await visit(page, screen)
        await page.getByRole('heading', { level: 1 }).first().waitFor()
        await settled(page)
        expect(await page.getByText('Something went wrong').count(), screen).toBe(0)
        if (!(await page.getByText('You don’t have access to this').first().isVisible())) continue
        closed.push(screen)
        if (role === 'member') await glance(page, `not-allowed${screen.replaceAll('/', '-')}`)
      }
      await visit(page, '/secrets')
      await page.getByText('You don’t have access to this').waitFor()
      await look(page, `${role}-not-allowed`)
      const links = page.getByRole('navigation', { name: 'Main' }).getByRole('link')
      const offered = await links.evaluateAll((all) => all.map((one) => one.getAttribute('href')))
      expect(offered).toContain('/approvals')
      expect(closed.filter((screen) => offered.includes(screen))).toEqual([])
      expect(refused).toEqual([])
      await context.close()
    },
  )
})

/** Until nothing more is asked: the stream stays open, so the network is never idle. */
async function settled(page: Page): Promise<void> {
  await page.waitForFunction(() => document.querySelector('[aria-label="Loading"]') === null)
  await page.waitForTimeout(150)
}
