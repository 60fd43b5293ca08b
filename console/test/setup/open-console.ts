import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import type { Browser, BrowserContext, Page } from 'playwright-core'
import { startServerProcess } from '../../../test/setup/server-process.ts'
import type { ServerProcess } from '../../../test/setup/server-process.ts'
import { openBrowser } from './open-browser.ts'

/** A real server with the built console, and a browser that is signed in to it. */
export interface OpenConsole {
  server: ServerProcess
  browser: Browser
  context: BrowserContext
  /** A page of the console at this path. Its errors are collected. */
  open(path: string): Promise<Page>
  /** Errors that pages have printed or thrown so far; a test that provokes some takes them out. */
  faults: string[]
  /** Kills the server and restarts it on the same data and address; it is down in between. */
  restart(whileGone?: () => Promise<void>): Promise<void>
  /** Throws when a page had an error that nobody expected. */
  close(): Promise<void>
}

export interface OpenConsoleOptions {
  /** Another configuration than the example crib's. */
  config?: string
  args?: readonly string[]
  /** `dev` reloads changed tools; `start` by default. */
  command?: 'start' | 'dev'
  env?: Record<string, string>
}

const root = path.join(import.meta.dirname, '../../..')

const notNew = { name: 'toolcrib.first-steps', value: '{"state":"over","done":[]}' }

/** Starts `toolcrib start` on a fresh folder and signs in by its link. One at a time in a process. */
export async function openConsole(options: OpenConsoleOptions = {}): Promise<OpenConsole> {
  const folder = await mkdtemp(path.join(tmpdir(), 'console '))
  // Programs in the sandbox run as another user, who must get through to the workspace.
  await chmod(folder, 0o711)
  const config = options.config ?? path.join(root, 'examples/crib/toolcrib.config.ts')
  const start = (...more: string[]) =>
    startServerProcess({
      cwd: folder,
      data: path.join(folder, 'data'),
      args: ['--config', config, ...(options.args ?? []), ...more],
      ...(options.command !== undefined && { command: options.command }),
      ...(options.env !== undefined && { env: options.env }),
    })
  let server = await start()
  const browser = await openBrowser()
  const faults: string[] = []
  const context = await browser.newContext({
    viewport: { width: 1360, height: 850 },
    reducedMotion: 'reduce',
    colorScheme: 'light',
    // Tests skip the introduction; only the test of the first five minutes has it.
    storageState: { cookies: [], origins: [{ origin: server.url, localStorage: [notNew] }] },
  })
  context.on('page', (page) => {
    page.on('pageerror', (error) => faults.push(`${page.url()}: ${error.message}`))
    page.on('console', (message) => {
      if (message.type() === 'error') faults.push(`${page.url()}: ${message.text()}`)
    })
  })
  const first = await context.newPage()
  await first.goto(server.signIn)
  const tab = await keepTab(context, first)
  return {
    get server() {
      return server
    },
    browser,
    context,
    faults,
    async open(address) {
      const page = tab.take() ?? (await context.newPage())
      await page.goto(server.url + address)
      return page
    },
    async restart(whileGone = async () => {}) {
      const { port } = new URL(server.url)
      await server.kill()
      await whileGone()
      server = await start('--port', port)
    },
    async close() {
      await Promise.all(browser.contexts().map((one) => one.close()))
      await server.stop()
      await rm(folder, { recursive: true, force: true })
      if (faults.length > 0) throw new Error(`Pages had errors:\n${faults.join('\n')}`)
    },
  }
}

/**
 * A tab that is there already, with the scripts compiled and the style sheets read, opens a page for half
 * of what another one would cost. So this one is emptied when a test closes it, and the next test has it.
 */
async function keepTab(context: BrowserContext, tab: Page): Promise<{ take(): Page | undefined }> {
  let isTaken = true
  const end = tab.close.bind(tab)
  tab.close = async () => {
    if (!isTaken || tab.isClosed()) return
    try {
      await tab.unrouteAll({ behavior: 'ignoreErrors' })
      await tab.goto('about:blank', { timeout: 10_000 })
      isTaken = false
    } catch {
      // A page that does not even navigate away is unusable for the next test, which gets another.
      await end()
    }
  }
  const pages = context.pages.bind(context)
  context.pages = () => pages().filter((page) => page !== tab || isTaken)
  await tab.close()
  return {
    take() {
      if (isTaken) return
      isTaken = true
      return tab
    },
  }
}
