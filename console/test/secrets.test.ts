import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { look } from './setup/look.ts'
import { hasChromium } from './setup/open-browser.ts'
import { openConsole } from './setup/open-console.ts'
import type { OpenConsole } from './setup/open-console.ts'
import { visit } from './setup/visit.ts'

/** A day from today, as a field for days has it. */
function inDays(days: number): string {
  const day = new Date()
  day.setDate(day.getDate() + days)
  return day.toLocaleDateString('sv')
}

describe.skipIf(!hasChromium)('secrets', () => {
  let crib: OpenConsole
  beforeAll(async () => (crib = await openConsole()))
  afterAll(() => crib.close())

  test('one that a tool waits for is set, tried out, replaced and deleted, and never shown', async () => {
    const page = await crib.open('/secrets')
    const row = page.getByRole('row').filter({ hasText: 'webhook_secret' })
    await row.getByText('Missing').waitFor()
    await row.getByText('1 tool needs it').waitFor()
    await row.getByText('demo.signed-webhook').waitFor()
    const badge = page.getByRole('link', { name: 'Secrets 1 missing' })
    await badge.waitFor()
    await look(page, 'secrets-missing')

    await visit(page, '/secrets?add=webhook_secret')
    const dialog = page.getByRole('dialog', { name: 'Set webhook_secret' })
    const field = dialog.getByLabel('Value: OutboundWebhook signing secret')
    await field.waitFor()
    expect(await field.getAttribute('type')).toBe('password')
    expect(await field.getAttribute('autocomplete')).toBe('off')
    await field.fill('short')
    await dialog.getByRole('button', { name: 'Save' }).click()
    await dialog
      .getByText(/8 characters/)
      .first()
      .waitFor()
    await look(page, 'secrets-dialog')
    crib.faults.length = 0
    const value = 'whsec_hidden_from_all'
    await field.fill(value)
    await dialog.getByLabel('Description').fill('From the dashboard. سرّ')
    await dialog.getByLabel('Expires').fill(inDays(5))
    await page.keyboard.press('Enter')
    await row.getByText('Set', { exact: true }).waitFor()
    await badge.waitFor({ state: 'detached' })
    await row.getByText('From the dashboard. سرّ').waitFor()
    await row.getByText(/^Expires\sin \d days$/).waitFor()
    expect(new URL(page.url()).search).toBe('')
    await row.getByText(/by Owner/).waitFor()

    await row.getByRole('button', { name: 'Actions for webhook_secret' }).click()
    await page.getByRole('menuitem', { name: 'Test' }).click()
    await row.getByText(/Valid|Invalid/).waitFor()
    await look(page, 'secrets')
    expect(await page.content()).not.toContain(value)

    await row.getByRole('button', { name: 'Actions for webhook_secret' }).click()
    await page.getByRole('menuitem', { name: 'Description and expiry' }).click()
    const notes = page.getByRole('dialog', { name: 'Details of webhook_secret' })
    expect(await notes.getByLabel('Expires').inputValue()).toBe(inDays(5))
    await notes.getByLabel('Description').fill(`It is ${value}`)
    await notes.getByRole('button', { name: 'Save' }).click()
    await notes.getByText('contains the value, and is shown to people').waitFor()
    crib.faults.length = 0
    // Nothing that was typed is lost by a slip.
    await page.keyboard.press('Escape')
    const question = page.getByRole('dialog', { name: 'Discard what you entered?' })
    await question.waitFor()
    await page.keyboard.press('Escape')
    await question.waitFor({ state: 'detached' })
    expect(await notes.getByLabel('Description').inputValue()).toBe(`It is ${value}`)
    await notes.getByLabel('Description').fill('')
    await notes.getByLabel('Expires').fill(inDays(-2))
    await look(page, 'secrets-notes')
    await notes.getByRole('button', { name: 'Save' }).click()
    await row.getByText(/^Expired/).waitFor()
    await look(page, 'secrets-expired')

    await row.getByRole('button', { name: 'Actions for webhook_secret' }).click()
    await page.getByRole('menuitem', { name: 'Delete' }).click()
    const sure = page.getByRole('dialog', { name: 'Delete webhook_secret?' })
    await sure.getByText(/demo\.signed-webhook stops working/).waitFor()
    await sure.getByRole('button', { name: 'Delete' }).click()
    await row.getByText('Missing').waitFor()
    await badge.waitFor()
    await page.close()
  })

  test('a secret of one agent is listed beside the tenant’s, and line breaks are kept', async () => {
    const page = await crib.open('/secrets')
    await page.getByRole('button', { name: 'Add secret' }).click()
    const dialog = page.getByRole('dialog', { name: 'Add secret' })
    // Where nothing was entered, nothing is asked.
    await dialog.getByRole('button', { name: 'Close' }).click()
    await dialog.waitFor({ state: 'detached' })
    await page.getByRole('button', { name: 'Add secret' }).click()
    await dialog.getByLabel(/^Name/).fill('DEPLOY_KEY')
    await dialog.getByRole('combobox', { name: /^For/ }).click()
    await page.getByRole('option', { name: 'Agent Reader' }).click()
    await dialog.getByLabel(/Multi-line value/).check()
    await dialog
      .getByRole('textbox', { name: /^Value/ })
      .fill('-----BEGIN KEY-----\nabc\n-----END KEY-----')
    await dialog.getByRole('button', { name: 'Save' }).click()
    const row = page.getByRole('row').filter({ hasText: 'DEPLOY_KEY' })
    await row.getByText('Only for the agent reader').waitFor()
    await row.getByText('No tool').waitFor()
    expect(await page.content()).not.toContain('BEGIN KEY')
    await page.close()
  })

  test('the master key is rotated while everything continues', async () => {
    const page = await crib.open('/secrets')
    const keys = page.getByRole('table', { name: 'Master keys' })
    const before = await keys.getByRole('row').nth(1).getByRole('button').first().textContent()
    await page.getByRole('button', { name: 'Rotate key' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Rotate' }).click()
    await page.getByText(/All secrets now use/).waitFor()
    const old = keys.getByRole('row').filter({ hasText: before ?? '' })
    await old.getByText('Kept for older secrets').waitFor()
    await look(page, 'secrets-keyring')
    await page.close()
  })
})
