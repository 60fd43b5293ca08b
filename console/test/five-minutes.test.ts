import { readFile } from 'node:fs/promises'
import type { BrowserContext, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { copyCrib } from './setup/copied-crib.ts'
import type { CopiedCrib } from './setup/copied-crib.ts'
import { look } from './setup/look.ts'
import { hasChromium } from './setup/open-browser.ts'
import { openConsole } from './setup/open-console.ts'
import type { OpenConsole } from './setup/open-console.ts'
import { signInAs } from './setup/sign-in-as.ts'

/** The first actions of a new user, in a fresh browser on an unused crib. */
describe.skipIf(!hasChromium)('the first five minutes', () => {
  let files: CopiedCrib
  let crib: OpenConsole
  let context: BrowserContext
  let page: Page
  beforeAll(async () => {
    files = await copyCrib()
    crib = await openConsole({ config: files.config, env: files.env, command: 'dev' })
    context = await crib.browser.newContext({
      viewport: { width: 1360, height: 850 },
      reducedMotion: 'reduce',
      storageState: { ...(await crib.context.storageState()), origins: [] },
    })
    page = await context.newPage()
    page.on('pageerror', (error) => crib.faults.push(error.message))
  })
  afterAll(async () => {
    await context.close()
    await crib.close()
    await files.remove()
  })

  test('it opens on a filled example, which runs at once', async () => {
    await page.goto(`${crib.server.url}/`)
    await page.getByRole('heading', { name: 'Return on investment', level: 1 }).waitFor()
    expect(new URL(page.url()).pathname).toBe('/tools/analysis.roi')
    await page.getByText('The form has sample input. Press Run.').waitFor()
    await look(page, 'first-steps')
    await page.getByRole('button', { name: 'Run', exact: true }).click()
    await page.getByText('Completed', { exact: true }).waitFor()
    await page.getByText('Run this from code').waitFor()
    await page.locator('svg.recharts-surface').first().waitFor()
    await page.getByText('1 of 4').waitFor()
  })

  test('the record shows the call', async () => {
    await page.getByRole('link', { name: 'Open calls' }).click()
    await page.getByRole('heading', { name: 'Calls', level: 1 }).waitFor()
    await page.getByText('2 of 4').waitFor()
    await page.getByText('analysis.roi').first().waitFor()
    expect(new URL(page.url()).pathname).toBe('/calls')
  })

  test('an agent asks before it deletes, and continues with the decision', async () => {
    // The input is visible before the agent asks.
    await page.getByText('Keep this one.').waitFor()
    await page.getByRole('button', { name: 'Let the agent try' }).click()
    await page.getByText('Approval needed: demo.delete-notes').waitFor()
    await look(page, 'first-steps-approval')
    await page.getByRole('button', { name: 'Review', exact: true }).click()
    await page.waitForURL(/\/approvals\?id=/)
    const request = page.getByRole('region', { name: 'Request: demo.delete-notes' })
    await request.getByRole('button', { name: 'Edit' }).click()
    await request.getByText('Opening hours: eight to five. Keep this one.').last().waitFor()
    await request.getByRole('combobox', { name: 'Notes' }).press('Backspace')
    await request.getByText('Removed: Opening hours').waitFor()
    await request.getByRole('button', { name: 'Approve with changes' }).click()
    await page.getByText('3 of 4').waitFor()
    await page.getByText('The agent continued').waitFor()
    const kept = JSON.parse(await readFile(files.env['CRIB_NOTES_FILE'] ?? '', 'utf8')) as unknown
    expect(JSON.stringify(kept)).toContain('Keep this one')
    expect(JSON.stringify(kept)).not.toContain('old price list')
  })

  test('a changed file changes the form that is open', async () => {
    await page.getByRole('link', { name: 'form', exact: true }).click()
    await page.getByRole('heading', { name: 'Return on investment', level: 1 }).waitFor()
    await page.getByLabel(/^Initial cost/).fill('70000')
    const source = await readFile(files.tool('roi.tool.ts'), 'utf8')
    await files.writeTool(
      'roi.tool.ts',
      source.replace("describe('Spent once, at the start')", "describe('Spent before it begins')"),
    )
    await page.getByText('Spent before it begins').waitFor()
    expect(await page.getByLabel(/^Initial cost/).inputValue()).toBe('70000')
    await page.getByText('4 of 4').waitFor()
    await page.getByRole('link', { name: 'Connect Claude' }).waitFor()
    await page.getByRole('link', { name: 'Invite someone' }).waitFor()
    await look(page, 'first-steps-done')
    await page.getByRole('button', { name: 'Dismiss first steps' }).click()
    await page.getByRole('heading', { name: 'First steps' }).waitFor({ state: 'hidden' })
    await page.goto(`${crib.server.url}/`)
    await page.getByRole('heading', { name: 'Tools', level: 1 }).waitFor()
    expect(new URL(page.url()).pathname).toBe('/tools')
  })

  test('a member is shown only the steps that they can do', async () => {
    const mia = await signInAs(crib, { name: 'mia', role: 'member' })
    const theirs = await mia.newPage()
    await theirs.goto(`${crib.server.url}/`)
    await theirs.getByText('0 of 2').waitFor()
    expect(await theirs.getByText('Approve an agent’s request').count()).toBe(0)
    expect(await theirs.getByText('Change a tool').count()).toBe(0)
    // Nor are keys listed that lead nowhere for them.
    await theirs.keyboard.press('?')
    const help = theirs.getByRole('dialog', { name: 'Keyboard shortcuts' })
    await help.getByText('Next and previous request').waitFor()
    expect(await help.getByText(/Reject|approve|Secrets|Agents & policy/).count()).toBe(0)
    await mia.close()
  })
})
