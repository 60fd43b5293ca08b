import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { look } from './setup/look.ts'
import { hasChromium } from './setup/open-browser.ts'
import { openConsole } from './setup/open-console.ts'
import type { OpenConsole } from './setup/open-console.ts'
import { signInMember } from './setup/sign-in-member.ts'
import { visit } from './setup/visit.ts'

/** Ten packs of a hundred tools, a few of which need something. */
async function writeCrib(): Promise<string> {
  const folder = await mkdtemp(path.join(tmpdir(), 'console many '))
  await mkdir(path.join(folder, 'tools'))
  for (let pack = 0; pack < 10; pack += 1) {
    await writeFile(path.join(folder, 'tools', `pack${pack}.tool.ts`), manyTools(pack))
  }
  await writeFile(
    path.join(folder, 'toolcrib.yaml'),
    'tools: [./tools]\npacks: { web: false, file: false, flow: false, system: false }\n',
  )
  return folder
}

function manyTools(pack: number): string {
  return `import { defineTool, z } from 'toolcrib'
const effects = ['read', 'read', 'write', 'destructive']
export const tools = Array.from({ length: 100 }, (_, index) => defineTool({
  name: \`pack${pack}.tool-\${String(index).padStart(3, '0')}\`,
  title: index === 7 ? 'أداة البحث ${pack}' : \`Tool \${index} of pack ${pack}\`,
  description: 'Does one thing of the hundred that this pack is about, and says what came of it.',
  effect: effects[index % 4],
  icon: 'database',
  approval: index === 1 ? 'always' : 'auto',
  secrets: index === 2 ? ['service_key'] : [],
  inputSchema: z.object({ text: z.string() }),
  execute: ({ text }) => ({ text }),
}))
`
}

const shown = (page: Page) => page.getByRole('search').getByRole('status')
const cards = (page: Page) => page.locator('article')

describe.skipIf(!hasChromium)('the library of a thousand tools', () => {
  let folder: string
  let crib: OpenConsole
  beforeAll(async () => {
    folder = await writeCrib()
    crib = await openConsole({ config: path.join(folder, 'toolcrib.yaml') })
  })
  afterAll(async () => {
    await crib.close()
    await rm(folder, { recursive: true, force: true })
  })

  test('it is light, and loads more while scrolling', async () => {
    const page = await crib.open('/tools')
    await page.getByText('1002 tools that people and agents can run.').waitFor()
    await cards(page).first().waitFor()
    expect(await cards(page).count()).toBeLessThan(40)
    for (let turn = 0; turn < 60; turn += 1) {
      await page.mouse.wheel(0, 100_000)
      if (await page.getByText('pack9.tool-099', { exact: true }).isVisible()) break
      await page.waitForTimeout(100)
    }
    await page.getByText('pack9.tool-099', { exact: true }).waitFor()
    expect(await cards(page).count()).toBeLessThan(40)
    await page.close()
  })

  test('filters narrow it, are kept in the address, and the count is announced', async () => {
    const page = await crib.open('/tools')
    await page.getByRole('searchbox', { name: 'Search tools' }).fill('pack3')
    await page.getByText('100 shown').waitFor()
    await page.getByRole('search').getByText('Destructive').click()
    await page.getByText('25 shown').waitFor()
    expect(new URL(page.url()).search).toBe('?q=pack3&effect=destructive')
    await page.reload()
    await page.getByText('25 shown').waitFor()
    expect(await shown(page).getAttribute('aria-live')).toBe('polite')
    await visit(page, '/tools?state=misconfigured&pack=pack4')
    await page.getByText('1 shown').waitFor()
    await page.getByText('Needs secret service_key').waitFor()
    const add = page.getByRole('link', { name: 'Add secret' })
    expect(await add.getAttribute('href')).toBe('/secrets?add=service_key')
    await look(page, 'tools-misconfigured')
    await visit(page, '/tools?q=zzz')
    await page.getByText('No tools found').waitFor()
    await look(page, 'tools-none')
    await page.getByRole('button', { name: 'Clear filters' }).click()
    await page.getByText('1002 shown').waitFor()
    await page.close()
  })

  test('figures, pins and what was looked at last are at hand', async () => {
    for (let turn = 0; turn < 3; turn += 1) {
      await crib.server.request('/api/v1/tools/pack0.tool-000/calls', {
        json: { input: { text: 'x' } },
      })
    }
    const page = await crib.open('/tools/pack0.tool-003')
    await page.getByRole('button', { name: 'Pin' }).click()
    await page.getByRole('button', { name: 'Pinned' }).waitFor()
    await page.getByRole('link', { name: 'Tools', exact: true }).click()
    await page.getByRole('navigation', { name: 'Pinned and recent tools' }).waitFor()
    await page.getByText(/^[36] calls · 100% ok · p95/).waitFor()
    await look(page, 'tools')
    await page.getByText('Tool 3 of pack 0').first().waitFor()
    await page.close()
  })

  test('nothing moves once it is there', async () => {
    const page = await crib.open('/tools/pack0.tool-003')
    await page.getByRole('heading', { level: 1 }).waitFor()
    // Reloaded, with recent tools on the device.
    await page.goto(`${crib.server.url}/tools`)
    await page.getByRole('navigation', { name: 'Pinned and recent tools' }).waitFor()
    await cards(page).first().waitFor()
    await page.getByText('1002 shown').waitFor()
    const shifted = await page.evaluate(
      () =>
        new Promise<number>((resolve) => {
          let sum = 0
          new PerformanceObserver((list) => {
            for (const entry of list.getEntries())
              sum += (entry as unknown as { value: number }).value
          }).observe({ type: 'layout-shift', buffered: true })
          requestAnimationFrame(() => requestAnimationFrame(() => resolve(sum)))
        }),
    )
    expect(shifted).toBeLessThan(0.05)
    await page.close()
  })

  test('hidden tools are counted, with the reason', async () => {
    const page = await crib.open('/tools')
    await page.getByRole('button', { name: /hidden from you: see why/ }).click()
    const list = page.getByRole('dialog', { name: 'Hidden from you' })
    await list.getByText('agents.spawn').waitFor()
    await list.getByText('runtime').first().waitFor()
    await look(page, 'tools-hidden')
    await page.close()
  })

  test('people who may not call tools see a notice', async () => {
    const context = await signInMember(crib, 'viewer')
    const page = await context.newPage()
    await page.goto('/tools')
    await page.getByText('You don’t have access to this').waitFor()
    await look(page, 'tools-not-allowed')
    await context.close()
  })

  test('a crib without tools offers three ways to add one, and a failing server shows an error in place', async () => {
    const page = await crib.open('/tools')
    await page.route('**/api/v1/tool-counts*', (route) =>
      route.fulfill({ json: { total: 0, packs: [], hidden: 0 } }),
    )
    await page.reload()
    await page.getByRole('heading', { name: 'Write a tool' }).waitFor()
    await page.getByRole('heading', { name: 'Connect an MCP server' }).waitFor()
    await page.getByRole('heading', { name: 'Start from a template' }).waitFor()
    await look(page, 'tools-empty')
    await page.unroute('**/api/v1/tool-counts*')
    await page.route('**/api/v1/tools?*', (route) =>
      route.fulfill({
        status: 500,
        contentType: 'application/problem+json',
        json: { code: 'internal', detail: 'Something broke', requestId: 'req_1' },
      }),
    )
    await page.reload()
    await page.getByText('Something broke').waitFor()
    await look(page, 'tools-failed')
    crib.faults.length = 0
    await page.close()
  })
})
