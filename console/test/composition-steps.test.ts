import path from 'node:path'
import type { Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { look } from './setup/look.ts'
import { hasChromium } from './setup/open-browser.ts'
import { openConsole } from './setup/open-console.ts'
import type { OpenConsole } from './setup/open-console.ts'

const tools = path.join(import.meta.dirname, '../../test/fixtures/console-steps')

describe.skipIf(!hasChromium)('the steps of a composition in the console', () => {
  let crib: OpenConsole
  beforeAll(async () => {
    crib = await openConsole({ args: ['--tools', tools] })
  })
  afterEach(() => Promise.all(crib.context.pages().map((page) => page.close())))
  afterAll(() => crib.close())

  async function order(text: string): Promise<string> {
    const response = await crib.server.request('/api/v1/tools/order.handle/calls', {
      json: { input: { text } },
      headers: { prefer: 'respond-async' },
    })
    return ((await response.json()) as { callId: string }).callId
  }
  async function approve() {
    const pending = async () => {
      const response = await crib.server.request('/api/v1/approvals?status=pending')
      return ((await response.json()) as { items: { id: string }[] }).items
    }
    await expect.poll(async () => (await pending()).length).toBe(1)
    const [{ id } = { id: '' }] = await pending()
    await crib.server.request(`/api/v1/approvals/${id}/decision`, { json: { decision: 'approve' } })
  }
  const rowOf = (page: Page, step: string) =>
    page
      .getByRole('list', { name: 'Steps' })
      .getByRole('listitem')
      .filter({ hasText: `order.${step}` })
      .first()

  test('show their states while it runs, and run again from one by the keyboard', async () => {
    const page = await crib.open(`/calls/${await order('shelf')}`)
    await rowOf(page, 'check').getByText('Asks a person').waitFor()
    await rowOf(page, 'note').getByText('24 of 24').waitFor()
    await rowOf(page, 'mail').getByText('Not started').waitFor()
    expect(await page.getByRole('button', { name: /^Run again from/ }).count()).toBe(0)
    await page.getByText('Skipped').waitFor()
    await look(page, 'call-steps-asking')
    await approve()
    await rowOf(page, 'mail').getByText('Failed').waitFor()
    await rowOf(page, 'clear').getByText('Not reached').waitFor()
    await page.getByText('Skipped').waitFor()
    await look(page, 'call-steps-failed')
    const link = rowOf(page, 'mail').getByRole('link', { name: 'mail' })
    await link.focus()
    await page.keyboard.press('Tab')
    await page.keyboard.press('Enter')
    const dialog = page.getByRole('dialog', { name: 'Run again from mail?' })
    await dialog.getByText('destructive').waitFor()
    expect(await dialog.getByRole('listitem').allTextContents()).toEqual([
      'mailorder.mailwrite',
      'clearorder.cleardestructive',
    ])
    await dialog.getByText('Kept as they are: find, check, notes.').waitFor()
    await look(page, 'call-steps-rerun')
    await dialog.getByRole('button', { name: 'Run again', exact: true }).press('Enter')
    await dialog.waitFor({ state: 'detached' })
    await rowOf(page, 'clear').getByText('Done').waitFor()
    for (const step of ['find', 'check', 'note'])
      await rowOf(page, step).getByText('Kept').waitFor()
    expect(await rowOf(page, 'mail').getByText('Kept').count()).toBe(0)
    await page.getByText('from step mail').waitFor()
    await look(page, 'call-steps-again')
    await rowOf(page, 'mail').getByRole('link', { name: 'mail' }).click()
    await page.getByRole('heading', { name: 'Mail', level: 1 }).waitFor()
  })
})
