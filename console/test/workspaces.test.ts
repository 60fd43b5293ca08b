import { readFile } from 'node:fs/promises'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { copyCrib } from './setup/copied-crib.ts'
import type { CopiedCrib } from './setup/copied-crib.ts'
import { glance, look } from './setup/look.ts'
import { hasChromium } from './setup/open-browser.ts'
import { openConsole } from './setup/open-console.ts'
import type { OpenConsole } from './setup/open-console.ts'

const tools = `import { defineTool, z } from 'toolcrib'
const evil = '<img src="https://evil.example/a" onerror="document.title=1">'
export const build = defineTool({
  name: 'site.build', description: 'Writes a small site into the workspace.', effect: 'write',
  inputSchema: z.object({ title: z.string() }), examples: [{ label: 'Try', input: { title: 'Home' } }],
  async execute({ title }, { workspace }) {
    await workspace.write('site/index.html', '<h1>' + title + '</h1>\\n' + evil + '\\n', { overwrite: true })
    await workspace.write('site/main.ts', 'export const title = ' + JSON.stringify(title) + '\\n', { overwrite: true })
    await workspace.write('README.md', '# ' + title + '\\n\\n' + evil + '\\n', { overwrite: true })
    return { title }
  },
})
export const serve = defineTool({
  name: 'site.serve', description: 'Serves the site in the background.', effect: 'write',
  inputSchema: z.object({}), examples: [{ label: 'Try', input: {} }],
  async execute(_, { processes }) {
    const script = 'printf "\\\\033[32mready\\\\033[0m\\\\n"; i=0; while true; do i=$((i+1)); echo request $i; sleep 1; done'
    const { pid } = await processes.start({ command: script })
    return { pid }
  },
})
`

describe.skipIf(!hasChromium)('workspaces', () => {
  let files: CopiedCrib
  let crib: OpenConsole
  const hosts = new Set<string>()
  beforeAll(async () => {
    files = await copyCrib()
    await files.writeTool('site.tool.ts', tools)
    crib = await openConsole({ config: files.config, env: files.env })
    crib.context.on('request', (request) => hosts.add(new URL(request.url()).host))
  })
  afterAll(async () => {
    await crib.close()
    await files.remove()
  })

  async function openWorkspace(): Promise<Page> {
    const page = await crib.open('/workspaces')
    await page.getByRole('table', { name: 'Workspaces' }).getByRole('link').first().click()
    await page.getByRole('tree', { name: 'Files' }).waitFor()
    return page
  }

  test('an empty list explains how workspaces are created', async () => {
    const page = await crib.open('/workspaces')
    await page.getByText('No workspaces yet').waitFor()
    await glance(page, 'workspaces-empty')
    expect(await page.getByRole('table').count()).toBe(0)
    await page.close()
  })

  test('files of a tool are listed, shown and downloaded', async () => {
    const run = await crib.open('/tools/site.build?example=0')
    await run.getByRole('button', { name: 'Run', exact: true }).click()
    await run.getByText('Completed', { exact: true }).waitFor()
    await run.close()
    const page = await openWorkspace()
    await page.getByRole('treeitem', { name: 'site' }).click()
    await page.getByRole('treeitem', { name: /index\.html/ }).click()
    await page.getByText('<h1>Home</h1>').waitFor()
    await look(page, 'workspace-files')
    const saved = page.waitForEvent('download')
    await page.getByRole('button', { name: 'Download index.html' }).click()
    const download = await saved
    expect(download.suggestedFilename()).toBe('index.html')
    expect(await readFile(await download.path(), 'utf8')).toContain('<h1>Home</h1>')
    const zipped = page.waitForEvent('download')
    await page.getByRole('button', { name: 'Download all' }).click()
    expect((await readFile(await (await zipped).path())).subarray(0, 2).toString()).toBe('PK')
    expect(await page.title()).not.toBe('1')
    expect([...hosts]).toEqual([new URL(crib.server.url).host])
    await page.close()
  })

  test('changes are shown with their differences, and accepted', async () => {
    const page = await openWorkspace()
    await page.getByRole('tab', { name: 'Changes' }).click()
    await page.getByText('3 added.').waitFor()
    await look(page, 'workspace-changes')
    await page.getByRole('button', { name: 'Accept all' }).click()
    await page.getByText('No changes', { exact: true }).waitFor()
    expect(await page.getByText('Added', { exact: true }).count()).toBe(0)
    await page.close()
  })

  test('a person uploads, replaces and deletes a file', async () => {
    const page = await openWorkspace()
    const file = (text: string) => ({
      name: 'notes.txt',
      mimeType: 'text/plain',
      buffer: Buffer.from(text),
    })
    const input = page.locator('input[type=file]')
    await input.setInputFiles(file('first'))
    await page.getByRole('treeitem', { name: /notes\.txt/ }).click()
    await page.getByText('first', { exact: true }).waitFor()
    await input.setInputFiles(file('second'))
    await page.getByRole('button', { name: 'Replace', exact: true }).click()
    await page.getByText('second', { exact: true }).waitFor()
    await page.getByRole('button', { name: 'Delete notes.txt' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Delete', exact: true }).click()
    await page.getByRole('treeitem', { name: /notes\.txt/ }).waitFor({ state: 'detached' })
    expect(await page.getByRole('treeitem').count()).toBeGreaterThan(0)
    await page.close()
  })

  test('a folder is deleted with everything in it, and the list is filtered', async () => {
    const page = await openWorkspace()
    await page.getByRole('treeitem', { name: 'site' }).click()
    await page.getByRole('button', { name: 'Delete site' }).click()
    await page.getByText('The folder is removed with everything in it.').waitFor()
    await page.getByRole('dialog').getByRole('button', { name: 'Delete', exact: true }).click()
    await page.getByRole('treeitem', { name: 'site' }).waitFor({ state: 'detached' })
    await page.close()
    const list = await crib.open('/workspaces')
    await list.getByRole('textbox', { name: 'Session' }).fill('no-such-session')
    await list.getByText('No matching workspaces').waitFor()
    await list.getByRole('textbox', { name: 'Session' }).fill('')
    await list.getByRole('table', { name: 'Workspaces' }).waitFor()
    expect(new URL(list.url()).search).toBe('')
    await list.close()
  })

  test('a running process is followed and stopped', async () => {
    const run = await crib.open('/tools/site.serve?example=0')
    await run.getByRole('button', { name: 'Run', exact: true }).click()
    await run
      .getByText(/^(?:Completed|Failed)$/)
      .first()
      .waitFor()
    // Without a sandbox on this machine no program runs.
    if ((await run.getByText('sandbox_unavailable').count()) > 0) return run.close()
    await run.close()
    const page = await openWorkspace()
    await page.getByRole('tab', { name: 'Processes' }).click()
    await page.getByText('request 3').waitFor()
    expect(await page.getByText('ready', { exact: true }).getAttribute('data-color')).toBe('green')
    await look(page, 'workspace-processes')
    await page.getByRole('button', { name: /^Stop process \d+$/ }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Stop', exact: true }).click()
    await page
      .getByText(/^(?:Stopped by SIG|Exit code)/)
      .first()
      .waitFor()
    await page.close()
  })

  test('the mode is switched, and the workspace removed', async () => {
    const page = await openWorkspace()
    await page.getByText('Read-only', { exact: true }).click()
    await page
      .getByText('Files can be read, but nobody changes them: no agent and no person.')
      .waitFor()
    await page.getByRole('button', { name: 'Remove', exact: true }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Remove', exact: true }).click()
    await page.getByText('No workspaces yet').waitFor()
    expect(new URL(page.url()).pathname).toBe('/workspaces')
    await page.close()
  })

  test('a removed workspace is reported at its address', async () => {
    const page = await crib.open('/workspaces/ws_0000000000')
    await page.getByRole('heading', { name: 'Workspace not found' }).waitFor()
    await glance(page, 'workspace-gone')
    // The browser reports the answer 404.
    expect(crib.faults.splice(0).length).toBeGreaterThan(0)
    await page.close()
  })

  test('files that an agent writes appear beside the chat, and at the call', async () => {
    const agent = { slug: 'builder', name: 'Builder', model: 'demo', tools: { allow: ['site.*'] } }
    await crib.server.request('/api/v1/agents', { json: agent })
    const page = await crib.open('/chat/builder')
    const box = page.getByRole('textbox', { name: 'Message' })
    await box.fill('run site.build with title=Shop')
    await box.press('Enter')
    await page.getByRole('button', { name: 'Regenerate' }).waitFor()
    await page.getByRole('button', { name: 'Files', exact: true }).click()
    const panel = page.getByRole('complementary', { name: 'Files' })
    await panel.getByRole('treeitem', { name: 'site' }).click()
    await panel.getByRole('treeitem', { name: /main\.ts/ }).click()
    await panel.getByText('"Shop"').waitFor()
    // The next answer changes a file that is open.
    await box.fill('run site.build with title=Store')
    await box.press('Enter')
    await panel.getByText('"Store"').waitFor()
    await look(page, 'chat-files')
    // A narrower window shows them in a drawer, with the same file open.
    await page.setViewportSize({ width: 1100, height: 850 })
    await page.getByRole('dialog', { name: 'Files' }).getByText('"Store"').waitFor()
    await page.setViewportSize({ width: 1360, height: 850 })
    await panel.getByText('"Store"').waitFor()
    const call = page.getByRole('article', { name: 'Call of site.build' }).last()
    await call.getByRole('button').first().click()
    const address = await call.getByRole('link', { name: 'Open call' }).getAttribute('href')
    await page.close()
    const callPage = await crib.open(address ?? '')
    await callPage.getByRole('tab', { name: 'Files' }).click()
    await callPage.getByRole('treeitem', { name: 'site' }).click()
    await callPage.getByRole('treeitem', { name: /index\.html/ }).click()
    await callPage.getByText('<h1>Store</h1>').waitFor()
    await look(callPage, 'call-files')
    await callPage.close()
  })
})
