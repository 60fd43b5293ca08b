import type { Page } from 'playwright-core'
import path from 'node:path'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { look } from './setup/look.ts'
import { hasChromium } from './setup/open-browser.ts'
import { openConsole } from './setup/open-console.ts'
import type { OpenConsole } from './setup/open-console.ts'
import { visit } from './setup/visit.ts'

const tools = path.join(import.meta.dirname, '../../test/fixtures/console-calls')

describe.skipIf(!hasChromium)('calls in the console', () => {
  let crib: OpenConsole
  beforeAll(async () => {
    crib = await openConsole({ args: ['--tools', tools] })
  })
  // A tab that stays keeps connections, and a browser has six.
  afterEach(() => Promise.all(crib.context.pages().map((page) => page.close())))
  afterAll(() => crib.close())

  /** Calls a tool and gives the id of the call, whether or not it has ended. */
  async function call(tool: string, input: unknown): Promise<string> {
    const response = await crib.server.request(`/api/v1/tools/${tool}/calls`, {
      json: { input },
      headers: { prefer: 'respond-async' },
    })
    const { callId } = (await response.json()) as { callId: string }
    return callId
  }
  const settle = (callId: string) => crib.server.request(`/api/v1/calls/${callId}?wait=20`)
  const rowsOf = (page: Page) => page.getByRole('grid').getByRole('row')

  test('a crib without calls explains how to make one', async () => {
    const page = await crib.open('/calls')
    await page.getByText('Calls appear here as people and agents use tools.').waitFor()
    await look(page, 'calls-empty')
    // The first one appears by itself.
    await settle(await call('records.mark', { text: 'first' }))
    await page.getByRole('grid').getByText('records.mark').waitFor()
    expect(await rowsOf(page).count()).toBe(2)
  })

  test('the list shows who called which tool, and updates live', async () => {
    await settle(await call('records.compose', { text: 'nested' }))
    await settle(await call('records.broken', {}))
    await call('records.wipe', { what: 'notes' })
    const page = await crib.open('/calls')
    // The error message is shown, not only its code; on a phone the caller is kept.
    const grid = page.getByRole('grid')
    await grid.getByText('خدمة الطرف الآخر لا تجيب', { exact: true }).first().waitFor()
    await page.setViewportSize({ width: 390, height: 844 })
    await grid.getByText('you · خدمة الطرف الآخر لا تجيب').first().waitFor()
    await page.setViewportSize({ width: 1360, height: 850 })
    await page.getByRole('grid').getByText('2.5').first().waitFor()
    const running = await call('records.steps', { steps: 1000, delayMs: 100 })
    const row = rowsOf(page).filter({ hasText: 'records.steps' })
    await row.getByText('Running').waitFor()
    await look(page, 'calls')
    await crib.server.request(`/api/v1/calls/${running}/cancel`, { method: 'POST' })
    await row.getByText('Cancelled', { exact: true }).waitFor()
  })

  test('filters are chips, live in the address, and can be taken off', async () => {
    const page = await crib.open('/calls?tool=records.broken')
    await page.getByText('records.broken').first().waitFor()
    expect(await page.getByRole('grid').getByText('records.mark').count()).toBe(0)
    await page.getByRole('button', { name: 'Filter', exact: true }).click()
    await page.getByRole('combobox', { name: 'Filter by' }).click()
    await page.getByRole('option', { name: 'Status' }).click()
    await page.getByRole('combobox', { name: 'Status' }).click()
    await page.getByRole('option', { name: 'Completed' }).click()
    await page.getByText('No calls found').waitFor()
    expect(new URL(page.url()).search).toBe('?tool=records.broken&status=completed')
    await look(page, 'calls-none-fit')
    await page.getByRole('button', { name: 'Remove filter Status' }).click()
    await page.getByRole('button', { name: 'Remove filter Tool' }).click()
    await page.getByRole('grid').getByText('records.mark').first().waitFor()
    expect(new URL(page.url()).search).toBe('')
    await page.getByRole('button', { name: 'Filter', exact: true }).click()
    await page.getByRole('combobox', { name: 'Filter by' }).waitFor()
    await look(page, 'calls-add-filter')
    await visit(page, '/calls?from=1h&to=2026-01-01')
    await page.getByText('No calls found').waitFor()
  })

  test('the keyboard alone opens a call beside the list and comes back', async () => {
    const page = await crib.open('/calls?tool=records.mark')
    await page.getByRole('grid').focus()
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('Enter')
    const panel = page.getByRole('dialog')
    await panel.getByRole('heading', { name: 'Set a mark' }).waitFor()
    expect(new URL(page.url()).searchParams.get('open')).toMatch(/^call_/)
    await look(page, 'calls-panel')
    await page.keyboard.press('Escape')
    await panel.waitFor({ state: 'detached' })
    expect(await page.evaluate(() => document.activeElement?.getAttribute('role'))).toBe('grid')
    expect(new URL(page.url()).search).toBe('?tool=records.mark')
  })

  test('new rows do not move the rows being read', async () => {
    const texts = Array.from({ length: 130 }, (_, index) => `row ${index}`)
    const made = await Promise.all(texts.map((text) => call('records.mark', { text })))
    await Promise.all(made.map(settle))
    const page = await crib.open('/calls?tool=records.mark')
    const grid = page.getByRole('grid')
    await page.getByText('calls loaded, more as you scroll').waitFor()
    // Page by page to the end; there are more of them when this is tried again.
    const isAll = async () => {
      await grid.evaluate((element) => element.scrollTo({ top: element.scrollHeight }))
      return page.getByText(/^\d{3} calls$/).isVisible()
    }
    await expect.poll(isAll, { interval: 200 }).toBe(true)
    await grid.evaluate((element) => element.scrollTo({ top: 2000 }))
    // The call in the middle of the visible list.
    const inTheMiddle = () =>
      grid.evaluate((element) => {
        const { left, top, height } = element.getBoundingClientRect()
        const place = document.elementFromPoint(left + 40, top + height / 2)
        return place?.closest('[role=row]')?.querySelector('a')?.getAttribute('href') ?? ''
      })
    await expect.poll(inTheMiddle).toMatch(/^\/calls\/call_/)
    const before = await inTheMiddle()
    const added = [
      await call('records.mark', { text: 'new' }),
      await call('records.mark', { text: 'newer' }),
    ]
    await Promise.all(added.map(settle))
    const bar = page.getByRole('button', { name: '2 new' })
    await bar.waitFor()
    expect(await inTheMiddle()).toBe(before)
    await bar.click()
    await page.waitForFunction(() => document.querySelector('[role=grid]')?.scrollTop === 0)
    const newest = grid.getByRole('row').nth(1).getByRole('link')
    expect(await newest.getAttribute('href')).toBe(`/calls/${added.toSorted().at(-1)}`)
  })

  test('the page of a call shows its whole history', async () => {
    const id = await call('records.compose', { text: 'a story' })
    await settle(id)
    const page = await crib.open(`/calls/${id}`)
    await page.getByRole('heading', { name: 'Several in one' }).waitFor()
    const trace = page.getByRole('list', { name: 'Trace' })
    await trace.getByRole('link', { name: 'records.broken' }).waitFor()
    await page.getByText('Done', { exact: true }).waitFor()
    await look(page, 'call')
    await page.getByRole('tab', { name: 'Input' }).click()
    await page.getByRole('button', { name: 'Copy input' }).waitFor()
    await page.getByRole('tab', { name: 'Raw events' }).click()
    await page.getByRole('row', { name: /call\.requested/ }).click()
    await look(page, 'call-events')
    await page.getByRole('tab', { name: 'Decision' }).click()
    await page.getByText('Decision now').waitFor()
    expect(new URL(page.url()).search).toBe('?tab=decision')
    await look(page, 'call-decision')
    await trace.getByRole('link', { name: 'records.broken' }).click()
    await page.getByRole('heading', { name: /records.broken/i }).waitFor()
    await page.getByText('خدمة الطرف الآخر لا تجيب').first().waitFor()
    await look(page, 'call-failed')
    await page.getByRole('link', { name: 'another call' }).click()
    await page.getByRole('heading', { name: 'Several in one' }).waitFor()
  })

  test('a call can be run again, asked about first where it changes something', async () => {
    const id = await call('records.mark', { text: 'again' })
    await settle(id)
    const page = await crib.open(`/calls/${id}`)
    const withChanges = page.getByRole('link', { name: 'Run again with changes' })
    expect(await withChanges.getAttribute('href')).toBe(`/tools/records.mark?from=${id}`)
    await page.getByRole('button', { name: 'Run again', exact: true }).click()
    const question = page.getByRole('dialog')
    await question.getByText('This tool changes data.').waitFor()
    await question.getByRole('button', { name: 'Run again' }).click()
    await page.waitForURL((url) => url.pathname.startsWith('/calls/') && !url.pathname.endsWith(id))
    await page.getByText('Completed', { exact: true }).first().waitFor()
  })

  test('a waiting call shows for whom, and how it can continue', async () => {
    const asked = await call('records.wipe', { what: 'all' })
    const page = await crib.open(`/calls/${asked}`)
    const request = page.getByRole('link', { name: 'Open request' })
    expect(await request.getAttribute('href')).toMatch(/^\/approvals\?id=appr_/)
    await look(page, 'call-waiting')
    await visit(page, `/calls/${await call('records.outside', {})}`)
    await page.getByText('Waiting for an external worker').first().waitFor()
    await page.getByRole('button', { name: 'Cancel' }).click()
    await page.getByText('Cancelled', { exact: true }).first().waitFor()
    const retried = await call('records.flaky', { key: 'one' })
    await settle(retried)
    await visit(page, `/calls/${retried}`)
    await page.getByText('attempt 2').waitFor()
    await visit(page, '/calls/call_00000000000000000000000000000000')
    await page.getByText('Call not found').first().waitFor()
    await look(page, 'call-not-found')
    crib.faults.splice(0, crib.faults.length, ...crib.faults.filter((one) => !one.includes('404')))
  })

  test('a page that is open while the server dies continues where it was', async () => {
    const id = await call('records.steps', { steps: 1000, delayMs: 200 })
    const page = await crib.open(`/calls/${id}`)
    await page
      .getByText(/Step \d+/)
      .first()
      .waitFor()
    await look(page, 'call-running')
    await crib.restart(async () => {
      await page.getByText('Reconnecting…').first().waitFor()
      // The earlier rows stay.
      await page.getByRole('heading', { name: 'Count slowly' }).waitFor()
      expect(await page.getByText(/Step \d+/).count()).toBeGreaterThan(0)
    })
    // A read that the crash cut off is run again: the second attempt arrives by itself.
    await page.getByText('attempt 2').waitFor()
    await page.getByText('Live', { exact: true }).waitFor()
    await page.getByRole('button', { name: 'Cancel' }).click()
    await page.getByText('Cancelled', { exact: true }).first().waitFor()
    await page.getByText('Done', { exact: true }).waitFor()
    // Nothing is lost and nothing is there twice.
    const told = await crib.server.request(`/api/v1/events?callId=${id}&limit=1000`)
    const { items } = (await told.json()) as { items: unknown[] }
    await page.getByRole('tab', { name: 'Raw events' }).click()
    const events = page.getByRole('grid', { name: 'Raw events' })
    expect(await events.getAttribute('aria-rowcount')).toBe(String(items.length + 1))
    crib.faults.length = 0
  })

  test('twenty megabytes do not stop the page', async () => {
    const id = await call('records.large', {})
    await settle(id)
    const page = await crib.open(`/calls/${id}`)
    await page.getByRole('heading', { name: /records.large/i }).waitFor()
    await page.getByText('Completed', { exact: true }).first().waitFor()
    await page.getByRole('tab', { name: 'Input' }).click()
    await page.getByRole('tab', { name: 'Output' }).click()
    await look(page, 'call-large')
  })
})
