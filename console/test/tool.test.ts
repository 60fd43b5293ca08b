import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { variants } from '../../test/setup/run-length.ts'
import { copyCrib } from './setup/copied-crib.ts'
import type { CopiedCrib } from './setup/copied-crib.ts'
import { look } from './setup/look.ts'
import { hasChromium } from './setup/open-browser.ts'
import { openConsole } from './setup/open-console.ts'
import type { OpenConsole } from './setup/open-console.ts'
import { signInMember } from './setup/sign-in-member.ts'
import { visit } from './setup/visit.ts'

const askingTool = `import { defineTool, z } from 'toolcrib'
export default defineTool({
  name: 'test.erase',
  title: 'Erase a shelf',
  description: 'Erases everything on a shelf.',
  effect: 'destructive',
  approval: 'always',
  inputSchema: z.object({ shelf: z.string() }),
  execute: ({ shelf }) => ({ erased: shelf }),
})
`
/** Fits the schema, and is refused by the tool itself, at its field. */
const pickyTool = `import { defineTool, ToolError, z } from 'toolcrib'
export default defineTool({
  name: 'test.picky',
  title: 'Picky',
  description: 'Takes even numbers only.',
  effect: 'read',
  inputSchema: z.object({ count: z.int().refine((n) => n % 2 === 0, 'must be even') }),
  execute: ({ count }) => ({ count }),
})
`

interface Call {
  input: { table: string }
  startedAt: string
  settledAt: string
}

async function callsOf(crib: OpenConsole, tool: string): Promise<Call[]> {
  const answer = await crib.server.request(`/api/v1/calls?tool=${tool}`)
  return ((await answer.json()) as { items: Call[] }).items
}

const run = (page: Page) => page.getByRole('button', { name: 'Run', exact: true })

describe.skipIf(!hasChromium)('the page of a tool', () => {
  let files: CopiedCrib
  let crib: OpenConsole
  beforeAll(async () => {
    files = await copyCrib()
    await files.writeTool('erase.tool.ts', askingTool)
    await files.writeTool('picky.tool.ts', pickyTool)
    crib = await openConsole({ config: files.config, env: files.env, command: 'dev' })
  })
  afterAll(async () => {
    await crib.close()
    await files.remove()
  })

  test('it runs a tool once however often the button is pressed, and shows the result', async () => {
    const page = await crib.open('/tools/analysis.roi?example=0')
    await page.getByText('Ready to run').waitFor()
    await page.getByText(/^The form contains the example “/).waitFor()
    await look(page, 'tool')
    await run(page).dblclick()
    await page.getByText('Completed', { exact: true }).waitFor()
    await page.getByText('Run this from code').waitFor()
    await look(page, 'tool-result')
    const items = await callsOf(crib, 'analysis.roi')
    expect(items.length).toBe(1)
    await page.close()
  })

  test.each(variants([390, 1024], [768, 1440]))(
    'the result is in sight after Run, %i px wide',
    async (width) => {
      const page = await crib.open('/tools/analysis.roi?example=0')
      await page.setViewportSize({ width, height: width === 390 ? 844 : 768 })
      await run(page).click()
      const state = page.getByText('Completed', { exact: true })
      await state.waitFor()
      await page.getByText('Net present value', { exact: true }).waitFor()
      // The address has changed by now: what it did to the page's place is over.
      await page.waitForURL(/[?&]call=call_/)
      const [height, top] = await page.evaluate(() => {
        const shown = document.querySelector('[role=tabpanel] output')?.getBoundingClientRect()
        return [window.innerHeight, shown?.top ?? Number.NaN]
      })
      expect(top).toBeGreaterThan(0)
      expect(top).toBeLessThan(height / 2)
      await page.setViewportSize({ width: 1360, height: 850 })
      await page.close()
    },
  )

  test('a result comes back with the input that made it: by reload, Back, link and from the library', async () => {
    const page = await crib.open('/tools/analysis.roi?example=0')
    const cost = page.getByLabel(/^Initial cost/)
    await cost.fill('123456')
    await run(page).click()
    await page.getByText('Completed', { exact: true }).waitFor()
    await page.waitForURL(/[?&]call=call_/)
    const link = page.url()
    const isBack = async () => {
      await page.getByText('Completed', { exact: true }).waitFor()
      expect(await cost.inputValue()).toBe('123456')
      expect(page.url()).toBe(link)
      expect(await page.getByText('Ready to run').count()).toBe(0)
    }
    await isBack()
    await page.reload()
    await isBack()
    await page.getByRole('link', { name: 'Calls', exact: true }).click()
    await page.getByRole('heading', { name: 'Calls', level: 1 }).waitFor()
    await page.goBack()
    await isBack()
    await page.getByRole('link', { name: 'Tools', exact: true }).click()
    await page.locator('article').getByRole('link', { name: 'Return on investment' }).click()
    await isBack()
    const other = await crib.open(link.slice(crib.server.url.length))
    await other.getByText('Completed', { exact: true }).waitFor()
    expect(await other.getByLabel(/^Initial cost/).inputValue()).toBe('123456')
    await other.close()

    // Text typed next is kept beside the result, which is marked as belonging to another input.
    await cost.fill('777')
    await page.getByText('The form has changed since this run.').waitFor()
    await expect
      .poll(() => page.evaluate(() => JSON.stringify({ ...localStorage })))
      .toContain('777')
    await page.reload()
    await page.getByText('The form has changed since this run.').waitFor()
    expect(await cost.inputValue()).toBe('777')
    const snippet = page.getByLabel('curl snippet', { exact: true })
    await cost.fill('')
    await expect.poll(() => snippet.textContent()).toContain('"initialCost":123456')
    await page.getByRole('button', { name: 'Restore input' }).click()
    expect(await cost.inputValue()).toBe('123456')
    await page.close()
  })

  test('the duration is that of the call, not of the way to it', async () => {
    const page = await crib.open('/tools/analysis.quick-score?example=0')
    await page.route('**/api/v1/tools/*/calls', async (route) => {
      const response = await route.fetch()
      // A slow network: the answer is on its way for longer than the call ran.
      await page.getByText(/^[1-9]\.\d s$/).waitFor()
      await route.fulfill({ response })
    })
    await run(page).click()
    await page.getByText('Completed', { exact: true }).waitFor()
    const state = page.getByRole('tabpanel').locator('output').first()
    await expect.poll(() => state.textContent()).toMatch(/^Completed\d+ ms$/)
    const [call] = await callsOf(crib, 'analysis.quick-score')
    const took = Date.parse(call?.settledAt ?? '') - Date.parse(call?.startedAt ?? '')
    expect(await state.textContent()).toBe(`Completed${took} ms`)
    await page.close()
  })

  test('a file of five megabytes goes from the form to the tool, and is named again for a rerun', async () => {
    const page = await crib.open('/tools/demo.table-summary')
    const line = 'order 4711,19.90,a note that makes the line a little longer\n'
    const rows = Math.ceil(5_242_880 / line.length)
    const buffer = Buffer.from(`order,amount,note\n${line.repeat(rows)}`)
    const file = { name: 'Bestellungen für März.csv', mimeType: 'text/csv', buffer }
    await page.locator('input[type=file]').setInputFiles(file)
    await page.getByText('text/csv, 5.2 MB').waitFor()
    await look(page, 'tool-file')
    await run(page).click()
    await page.getByText('Completed', { exact: true }).waitFor()
    await page.getByText(rows.toLocaleString('en')).first().waitFor()
    await look(page, 'tool-file-result')
    const items = await callsOf(crib, 'demo.table-summary')
    expect(items[0]?.input.table).toMatch(/^crib:\/\/uploads\/upl_/)
    const again = await crib.open('/tools/demo.table-summary')
    await again.getByRole('button', { name: 'Fill from' }).click()
    await again.getByRole('menuitem', { name: /crib:\/\/uploads/ }).click()
    await again.getByText('Bestellungen für März.csv').waitFor()
    await again.close()
    await page.close()
  })

  test('history, schema and access are beside the result', async () => {
    const page = await crib.open('/tools/analysis.roi?tab=history')
    await page.getByText('in the console').first().waitFor()
    // Inputs are read as people write them, not as JSON.
    await page
      .getByText(/Initial cost: \d+/)
      .first()
      .waitFor()
    expect(await page.getByText('"initialCost"').count()).toBe(0)
    await look(page, 'tool-history')
    await page.getByRole('tab', { name: 'Schema' }).click()
    await page.getByText('Spent once, at the start').first().waitFor()
    await look(page, 'tool-schema')
    await page.getByRole('tab', { name: 'Access' }).click()
    await page.getByText('You can run this tool').waitFor()
    await look(page, 'tool-access')
    await page.close()
  })

  test('snippets hold what is in the form, with a key that works', async () => {
    const page = await crib.open('/tools/analysis.quick-score?example=0&tab=code')
    await page.getByText('$TOOLCRIB_KEY').waitFor()
    await page.getByRole('button', { name: 'Create key' }).click()
    await page.getByText('The snippets contain a key').waitFor()
    const curl = (await page.getByLabel('curl snippet', { exact: true }).textContent()) ?? ''
    const token = /Bearer (crib_\S+)'/.exec(curl)?.[1] ?? ''
    const body = /-d '(.*)'$/.exec(curl)?.[1] ?? ''
    const answer = await fetch(`${crib.server.url}/api/v1/tools/analysis.quick-score/calls`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body,
    })
    expect(await answer.json()).toMatchObject({ status: 'completed' })
    expect(await page.evaluate(() => JSON.stringify({ ...localStorage }))).not.toContain(token)
    await look(page, 'tool-code')
    await page.close()
  })

  test('input errors of the server are shown at their fields', async () => {
    const page = await crib.open('/tools/test.picky')
    await page.getByLabel(/^Count/).fill('3')
    await run(page).click()
    await page.getByText('Invalid input').waitFor()
    await page.getByText('must be even').first().waitFor()
    expect(await page.getByLabel(/^Count/).getAttribute('aria-invalid')).toBe('true')
    await look(page, 'tool-invalid')
    crib.faults.length = 0
    await page.close()
  })

  test('a report grows while it is written', async () => {
    const page = await crib.open('/tools/demo.stream-report?example=1')
    await run(page).click()
    await page.getByText('Running', { exact: true }).waitFor()
    await page
      .getByText(/Overview/)
      .first()
      .waitFor()
    expect(await page.getByText('Completed', { exact: true }).count()).toBe(0)
    await page.getByText('Completed', { exact: true }).waitFor()
    await page
      .getByText(/Advice|Easy to read/)
      .first()
      .waitFor()
    await page.close()
  })

  test('long work shows its progress, is found again, and can be cancelled', async () => {
    const page = await crib.open('/tools/demo.long-task?example=2')
    await run(page).click()
    await page.getByRole('progressbar', { name: 'Progress' }).waitFor()
    await page.getByText(/ of 60/).waitFor()
    await look(page, 'tool-running')
    await page.getByRole('link', { name: 'Chat', exact: true }).click()
    await page.goBack()
    await page.getByText(/ of 60/).waitFor()
    await page.reload()
    await page.getByText(/ of 60/).waitFor()
    // In a page that knows nothing of it too: one's own call is found, and can be left for another run.
    await page.goto(`${crib.server.url}/tools/demo.long-task`)
    await page.getByText(/ of 60/).waitFor()
    expect(await page.getByLabel(/^Steps/).inputValue()).toBe('60')
    await page.getByRole('button', { name: 'New run' }).click()
    await page.getByText('Ready to run').waitFor()
    await page.getByRole('tab', { name: 'History' }).click()
    await page.getByRole('link', { name: 'Show', exact: true }).first().click()
    await page.getByText(/ of 60/).waitFor()
    await page.getByRole('button', { name: 'Cancel', exact: true }).click()
    await page.getByText('Cancelled', { exact: true }).first().waitFor()
    await look(page, 'tool-cancelled')
    await page.close()
  })

  test('a server that goes away and comes back loses nothing of a run', async () => {
    const page = await crib.open('/tools/demo.long-task')
    await page.getByLabel(/^Steps/).fill('8')
    await run(page).click()
    await page.getByText(/[2-7] of 8/).waitFor()
    await crib.restart(async () => {
      await page.getByText('Reconnecting…').waitFor()
      await look(page, 'tool-reconnecting')
    })
    await page.getByText('Completed', { exact: true }).waitFor()
    await page.getByText('Reconnecting…').waitFor({ state: 'hidden' })
    crib.faults.length = 0
    await page.close()
  })

  test('a call that needs approval waits for it, and continues by itself', async () => {
    const page = await crib.open('/tools/test.erase')
    await page.getByLabel(/^Shelf/).fill('B2')
    await page.getByRole('button', { name: 'Request approval' }).click()
    await page.getByText('Waiting for approval').waitFor()
    await page.getByText('Approval needed: test.erase').waitFor()
    await look(page, 'tool-waiting')
    const link = page.getByRole('link', { name: 'Review request' })
    const id = new URL((await link.getAttribute('href')) ?? '', crib.server.url).searchParams.get(
      'id',
    )
    const decided = await crib.server.request(`/api/v1/approvals/${id}/decision`, {
      json: { decision: 'approve' },
    })
    expect(decided.status).toBe(200)
    await page.getByText('Completed', { exact: true }).waitFor()
    await page.getByText('Approval needed: test.erase').waitFor({ state: 'hidden' })
    await page.close()
  })

  test('a tool that lacks a secret or setting names it, and is not run', async () => {
    const page = await crib.open('/tools/demo.signed-webhook?example=0')
    await page.getByText('Secret webhook_secret is not set').waitFor()
    expect(await run(page).isDisabled()).toBe(true)
    // The place of the result does not ask to press a button that is disabled.
    await page.getByText('Solve the problem shown above first.').waitFor()
    expect(await page.getByText('Ready to run').count()).toBe(0)
    await look(page, 'tool-misconfigured')
    await visit(page, '/tools/no.such')
    await page.getByText('Tool not found').waitFor()
    await look(page, 'tool-not-found')
    const events = await crib.server.request('/api/v1/audit?what=call.refused')
    expect(await events.json()).toMatchObject({ items: [] })
    crib.faults.length = 0
    await page.close()
  })

  test('a hidden tool names and links the rule that hides it; people without access see nothing more', async () => {
    const denied = await crib.server.request('/api/v1/policies/policy/tenant', {
      method: 'PUT',
      body: JSON.stringify({ body: { allow: [], deny: ['demo.delete-notes'] } }),
    })
    expect(denied.status).toBe(200)
    const page = await crib.open('/tools/demo.delete-notes')
    await page.getByText('This tool is hidden from you').waitFor()
    await page.getByText(/^Set by you on/).waitFor()
    await page
      .getByText(/demo\.delete-notes/)
      .nth(1)
      .waitFor()
    await look(page, 'tool-hidden')
    await page.getByRole('link', { name: 'Edit the policy' }).click()
    await page.waitForURL(/\/agents\?tab=policy/)
    const context = await signInMember(crib, 'member')
    const theirs = await context.newPage()
    await theirs.goto('/tools/demo.delete-notes')
    await theirs.getByText('Tool not found').waitFor()
    expect(await theirs.getByText('hidden').count()).toBe(0)
    await context.close()
    crib.faults.length = 0
    await page.close()
  })

  test('a file that does not load is reported among the tools, until it is fixed', async () => {
    const page = await crib.open('/tools?q=erase')
    await page.locator('article').first().waitFor()
    await files.writeTool('erase.tool.ts', `${askingTool}\nexport const = 1\n`)
    await files.writeTool('new.tool.ts', 'export default =\n')
    const notice = page.getByRole('alert')
    await notice.getByText('2 tool files failed to load').waitFor()
    await notice.getByText('tools/new.tool.ts:1').waitFor()
    await notice.getByText(/tools\/erase\.tool\.ts:1\d/).waitFor()
    await notice.getByText('Serving the last working version of test.erase.').waitFor()
    const card = page.locator('article', { hasText: 'Erase a shelf' })
    await card.getByText('Serving the last working version').waitFor()
    await look(page, 'tools-broken-files')
    await card.getByRole('link', { name: 'Erase a shelf' }).click()
    await page.getByRole('heading', { name: 'Erase a shelf', level: 1 }).waitFor()
    await page.getByText('Serving the last working version').waitFor()
    await page.getByText(/tools\/erase\.tool\.ts:1\d/).waitFor()
    await look(page, 'tool-last-working')
    await files.writeTool('erase.tool.ts', askingTool)
    await page.getByText('Serving the last working version').waitFor({ state: 'hidden' })
    await visit(page, '/tools')
    await notice.getByText('A tool file failed to load').waitFor()
    await files.removeTool('new.tool.ts')
    await notice.waitFor({ state: 'hidden' })
    await page.close()
  })

  test('a changed file changes the open form, and a removed one keeps what was typed', async () => {
    const page = await crib.open('/tools/test.picky')
    await page.getByLabel(/^Count/).fill('4')
    await files.writeTool('picky.tool.ts', pickyTool.replaceAll("'Picky'", "'Not so picky'"))
    await page.getByRole('heading', { name: 'Not so picky' }).waitFor()
    await run(page).click()
    await page.getByText('Completed', { exact: true }).waitFor()
    await files.removeTool('picky.tool.ts')
    await page.getByText('This tool is no longer available').waitFor()
    expect(await run(page).isDisabled()).toBe(true)
    await look(page, 'tool-gone')
    await files.writeTool('picky.tool.ts', pickyTool)
    await page.getByText('This tool is no longer available').waitFor({ state: 'hidden' })
    await run(page).click()
    await page.getByText('Completed', { exact: true }).waitFor()
    crib.faults.length = 0
    await page.close()
  })

  test('the keyboard alone finds, fills and runs a tool', async () => {
    const page = await crib.open('/calls')
    await page.getByRole('heading', { level: 1 }).waitFor()
    await page.keyboard.press('Control+k')
    await page.locator('[role=dialog] input:focus').waitFor()
    await page.keyboard.type('quick')
    const found = page.locator('[role=dialog] button', { hasText: 'analysis.' })
    await page.waitForFunction(
      () =>
        document.querySelector('[role=dialog] button')?.textContent?.startsWith('Quick score') ===
        true,
    )
    await found.first().waitFor()
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { name: 'Quick score', level: 1 }).waitFor()
    const example = page.getByRole('button', { name: /^Fill in “A clear candidate”/ })
    await example.waitFor()
    for (let turn = 0; turn < 60; turn += 1) {
      if (await example.evaluate((element) => element === document.activeElement)) break
      await page.keyboard.press('Tab')
    }
    await page.keyboard.press('Enter')
    await page.keyboard.press('Control+Enter')
    await page.getByText('Completed', { exact: true }).waitFor()
    await expect.poll(() => page.getByText('A good candidate').count()).toBeGreaterThan(0)
    await page.close()
  })
})
