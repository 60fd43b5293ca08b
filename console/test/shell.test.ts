import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { holdAnswers } from './setup/hold-answers.ts'
import { glance, isThorough, look } from './setup/look.ts'
import { hasChromium } from './setup/open-browser.ts'
import { openConsole } from './setup/open-console.ts'
import type { OpenConsole } from './setup/open-console.ts'
import { visit } from './setup/visit.ts'

/** Screens that ask for something before they can show anything. */
const asking = [
  '/tools',
  '/tools/demo.business-case',
  '/chat',
  '/approvals',
  '/questions',
  '/calls',
  '/calls/call_1',
  '/agents',
  '/agents/analyst',
  '/agents?tab=policy',
  '/skills',
  '/skills?name=business-review',
  '/mcp-servers',
  '/mcp-servers/none',
  '/apis',
  '/apis/none',
  '/secrets',
  '/schedules',
  '/schedules?id=sch_1',
  '/usage',
  '/audit',
  '/settings/account',
  '/settings/members',
  '/settings/retention',
]

/** One of each shape: cards, a list, a page of one thing, and a form. */
const lookedAt = ['/tools', '/calls', '/calls/call_1', '/agents/analyst', '/settings/account']

describe.skipIf(!hasChromium)('the frame of the console', () => {
  let crib: OpenConsole
  beforeAll(async () => (crib = await openConsole()))
  afterAll(() => crib.close())

  test('signed-in people land on the tools', async () => {
    const page = await crib.open('/')
    await page.getByRole('heading', { name: 'Tools', level: 1 }).waitFor()
    expect(await page.title()).toBe('Tools · Toolcrib')
    await page.close()
  })

  test('an unknown address shows a notice', async () => {
    const page = await crib.open('/nowhere')
    await page.getByText('Nothing is at this address').waitFor()
    await look(page, 'not-found')
    await page.close()
  })

  test('Enter in the palette acts on what was typed, however late its answer comes', async () => {
    const page = await crib.open('/calls')
    await page.getByRole('heading', { name: 'Calls', level: 1 }).waitFor()
    const type = async (words: string) => {
      await page.keyboard.press('Control+k')
      await page.locator('[role=dialog] input:focus').waitFor()
      await page.locator('[role=dialog] button').first().waitFor()
      // At once, as fast as keys can be pressed: the list is that of the words before.
      await page.keyboard.insertText(words)
      await page.keyboard.press('Enter')
    }
    await type('roi')
    await page.getByRole('heading', { name: 'Return on investment', level: 1 }).waitFor()
    await type('settings')
    await page.waitForURL(/\/settings/)
    await type('analyst')
    await page.waitForURL(/\/agents\/analyst/)
    await type('new schedule')
    await page.getByRole('dialog', { name: 'New schedule' }).waitFor()
    await page.keyboard.press('Escape')
    await page.getByRole('dialog', { name: 'New schedule' }).waitFor({ state: 'hidden' })
    await type('dark')
    await page.locator('html[data-mantine-color-scheme=dark]').waitFor()
    await type('system theme')
    await page.getByRole('dialog').waitFor({ state: 'hidden' })
    await page.keyboard.press('Control+k')
    await page.locator('[role=dialog] input:focus').fill('key')
    await page.getByText('New API key').waitFor()
    await look(page, 'palette-actions')
    await page.keyboard.press('Escape')
    await page.close()
  })

  describe('a screen on a slow network', () => {
    let page: Page
    let answers: Awaited<ReturnType<typeof holdAnswers>>
    beforeAll(async () => {
      page = await crib.open('/nowhere')
      await page.getByText('Nothing is at this address').waitFor()
      answers = await holdAnswers(page)
    })
    afterAll(() => page.close())

    test.each(asking)('%s waits in the shape of what comes, and fails in place', async (screen) => {
      answers.hold()
      await visit(page, screen)
      await page.getByRole('heading', { level: 1 }).waitFor()
      await page.getByLabel('Loading').first().waitFor()
      const name = screen.slice(1).replaceAll(/[^a-z]+/g, '-')
      const isLookedAt = isThorough || lookedAt.includes(screen)
      if (isLookedAt) await glance(page, `${name}-loading`)
      await answers.fail()
      await page.getByText('The store did not answer in time').last().waitFor()
      await page.getByRole('button', { name: 'Try again' }).last().waitFor()
      if (isLookedAt) await glance(page, `${name}-failed`)
      const others = crib.faults.splice(0).filter((fault) => !/503/.test(fault))
      expect(others).toEqual([])
    })
  })

  test('people who are not signed in are sent to sign in, and come back', async () => {
    const context = await crib.browser.newContext()
    const page = await context.newPage()
    await page.goto(`${crib.server.url}/calls?status=failed`)
    expect(new URL(page.url()).pathname).toBe('/sign-in')
    expect(new URL(page.url()).searchParams.get('next')).toBe('/calls?status=failed')
    await context.close()
  })
})
