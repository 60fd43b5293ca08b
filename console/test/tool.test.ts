import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { copyCrib } from './setup/copied-crib.ts'
import type { CopiedCrib } from './setup/copied-crib.ts'
import { look } from './setup/look.ts'
import { hasChromium } from './setup/open-browser.ts'
import { openConsole } from './setup/open-console.ts'
import type { OpenConsole } from './setup/open-console.ts'
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

const run = (page: Page) => page.getByRole('button', { name: 'Run', exact: true })

describe.skipIf(!hasChromium)('the page of a tool', () => {
  let files: CopiedCrib
  let crib: OpenConsole
  beforeAll(async () => {
    files = await copyCrib()
    await files.writeTool('erase.tool.ts', askingTool)
    await files.writeTool('picky.tool.ts', pickyTool)
    crib = await openConsole({ config: files.config, env: files.env, command: 'dev' })
  }, 60_000)
  afterAll(async () => {
    await crib.close()
    await files.remove()
  })

  test('it runs a tool once however often one presses, and shows what came of it', async () => {
    const page = await crib.open('/tools/analysis.roi?example=0')
    await page.getByText('Nothing run yet').waitFor()
    await look(page, 'tool')
    await run(page).dblclick()
    await page.getByText('Completed', { exact: true }).waitFor()
    await page.getByText('Same tool, other ways').waitFor()
    await look(page, 'tool-result')
    const { items } = (await (
      await crib.server.request('/api/v1/calls?tool=analysis.roi')
    ).json()) as {
      items: unknown[]
    }
    expect(items.length).toBe(1)
    await page.close()
  })

  test('a file of five megabytes goes from the form to the tool, and is named again for a rerun', async () => {
    const page = await crib.open('/tools/demo.table-summary')
    const line = 'order 4711,19.90,a note that makes the line a little longer\n'
    const rows = Math.ceil(5_242_880 / line.length)
    const buffer = Buffer.from(`order,amount,note\n${line.repeat(rows)}`)
    const file = { name: 'Bestellungen für März.csv', mimeType: 'text/csv', buffer }
    await page.locator('input[type=file]').setInputFiles(file)
    await page.getByText('text/csv, 5.0 MB').waitFor()
    await look(page, 'tool-file')
    await run(page).click()
    await page.getByText('Completed', { exact: true }).waitFor()
    await page.getByText(rows.toLocaleString('en')).first().waitFor()
    await look(page, 'tool-file-result')
    const calls = await crib.server.request('/api/v1/calls?tool=demo.table-summary')
    const { items } = (await calls.json()) as { items: { input: { table: string } }[] }
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
    await page.getByText('in the console').waitFor()
    await look(page, 'tool-history')
    await page.getByRole('tab', { name: 'Schema' }).click()
    await page.getByText('Spent once, at the start').first().waitFor()
    await look(page, 'tool-schema')
    await page.getByRole('tab', { name: 'Access' }).click()
    await page.getByText('You may call it').waitFor()
    await look(page, 'tool-access')
    await page.close()
  })

  test('snippets hold what is in the form, with a key that works', async () => {
    const page = await crib.open('/tools/analysis.quick-score?example=0&tab=code')
    await page.getByText('$TOOLCRIB_KEY').waitFor()
    await page.getByRole('button', { name: 'Make a key' }).click()
    await page.getByText('The snippets hold a key').waitFor()
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

  test('what the server has against the input is said at its field', async () => {
    const page = await crib.open('/tools/test.picky')
    await page.getByLabel(/^Count/).fill('3')
    await run(page).click()
    await page.getByText('The input does not fit').waitFor()
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

  test('long work says how far it is, is found again, and can be cancelled', async () => {
    const page = await crib.open('/tools/demo.long-task?example=2')
    await run(page).click()
    await page.getByRole('progressbar', { name: 'Progress' }).waitFor()
    await page.getByText(/ of 60/).waitFor()
    await look(page, 'tool-running')
    await page.getByRole('link', { name: 'Chat', exact: true }).click()
    await page.goBack()
    await page.getByText(/ of 60/).waitFor()
    await page.reload()
    await page.getByRole('button', { name: 'Follow the call that is running' }).click()
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

  test('what needs a yes waits for it, and goes on by itself', async () => {
    const page = await crib.open('/tools/test.erase')
    await page.getByLabel(/^Shelf/).fill('B2')
    await page.getByRole('button', { name: 'Ask to run' }).click()
    await page.getByText('Waiting for approval').waitFor()
    await page.getByText('test.erase waits for you').waitFor()
    await look(page, 'tool-waiting')
    const link = page.getByRole('link', { name: 'Review the request' })
    const id = new URL((await link.getAttribute('href')) ?? '', crib.server.url).searchParams.get(
      'id',
    )
    const decided = await crib.server.request(`/api/v1/approvals/${id}/decision`, {
      json: { decision: 'approve' },
    })
    expect(decided.status).toBe(200)
    await page.getByText('Completed', { exact: true }).waitFor()
    await page.getByText('test.erase waits for you').waitFor({ state: 'hidden' })
    await page.close()
  })

  test('a tool that lacks something says what, and is not run', async () => {
    const page = await crib.open('/tools/demo.signed-webhook?example=0')
    await page.getByText('Secret webhook_secret is not set').waitFor()
    expect(await run(page).isDisabled()).toBe(true)
    await look(page, 'tool-misconfigured')
    await visit(page, '/tools/no.such')
    await page.getByText('There is no such tool for you').waitFor()
    await look(page, 'tool-not-found')
    crib.faults.length = 0
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
    await page.getByText('This tool is not here any more').waitFor()
    expect(await run(page).isDisabled()).toBe(true)
    await look(page, 'tool-gone')
    await files.writeTool('picky.tool.ts', pickyTool)
    await page.getByText('This tool is not here any more').waitFor({ state: 'hidden' })
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
