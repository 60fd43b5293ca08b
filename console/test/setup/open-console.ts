import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { chromium } from 'playwright-core'
import type { Browser, BrowserContext, Page } from 'playwright-core'
import { findChromium } from '../../../scripts/chromium.mjs'
import { startServerProcess } from '../../../test/setup/server-process.ts'
import type { ServerProcess } from '../../../test/setup/server-process.ts'

/** A real server with the built console, and a browser that is signed in to it. */
export interface OpenConsole {
  server: ServerProcess
  browser: Browser
  context: BrowserContext
  /** A page of the console at this path. What goes wrong in it is collected. */
  open(path: string): Promise<Page>
  /** Errors that pages have printed or thrown so far; a test that provokes some takes them out. */
  faults: string[]
  /** Kills the server and starts it again on what it left, under the same address; meanwhile it is gone. */
  restart(whileGone?: () => Promise<void>): Promise<void>
  /** Throws when a page had an error that nobody expected. */
  close(): Promise<void>
}

export interface OpenConsoleOptions {
  /** Another configuration than the example crib's. */
  config?: string
  args?: readonly string[]
  /** `dev` reloads changed tools; `start` unless said. */
  command?: 'start' | 'dev'
  env?: Record<string, string>
}

const root = path.join(import.meta.dirname, '../../..')

/** Without a Chromium there is nothing to test with: `describe.skipIf(!hasChromium)`. */
export const hasChromium = findChromium() !== undefined

const notNew = { name: 'toolcrib.first-steps', value: '{"state":"over","done":[]}' }

/** Starts `toolcrib start` on a fresh folder and signs in by its link. */
export async function openConsole(options: OpenConsoleOptions = {}): Promise<OpenConsole> {
  const folder = await mkdtemp(path.join(tmpdir(), 'console '))
  const config = options.config ?? path.join(root, 'examples/crib/toolcrib.config.ts')
  const start = (...more: string[]) =>
    startServerProcess({
      cwd: root,
      data: path.join(folder, 'data'),
      args: ['--config', config, ...(options.args ?? []), ...more],
      ...(options.command !== undefined && { command: options.command }),
      ...(options.env !== undefined && { env: options.env }),
    })
  let server = await start()
  const browser = await launch()
  const faults: string[] = []
  const context = await browser.newContext({
    viewport: { width: 1360, height: 850 },
    reducedMotion: 'reduce',
    colorScheme: 'light',
    // Whoever tests is not led around; the test of the first five minutes is.
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
  await keepRenderer(context, first, server.url)
  return {
    get server() {
      return server
    },
    browser,
    context,
    faults,
    async open(address) {
      const page = await context.newPage()
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
      await browser.close()
      await server.stop()
      await rm(folder, { recursive: true, force: true })
      if (faults.length > 0) throw new Error(`Pages had errors:\n${faults.join('\n')}`)
    },
  }
}

/**
 * As long as some page of a site is open, the next ones run in the same process, which has the scripts
 * compiled already: a third of what opening a page costs. This one shows a line of text, and is not
 * among those that tests close when they are done.
 */
async function keepRenderer(context: BrowserContext, kept: Page, url: string): Promise<void> {
  await kept.goto(`${url}/healthz`)
  const pages = context.pages.bind(context)
  context.pages = () => pages().filter((page) => page !== kept)
}

/** A headless Chromium that asks nothing of the network beyond this machine. */
export function launch(): Promise<Browser> {
  return chromium.launch({
    executablePath: findChromium() ?? '',
    args: [
      '--no-sandbox',
      '--disable-gpu',
      '--disable-quic',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
      '--process-per-site',
    ],
  })
}
