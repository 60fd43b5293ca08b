import { chromium } from 'playwright-core'
import type { Browser } from 'playwright-core'
import { findChromium } from '../../../scripts/chromium.mjs'

/** Without a Chromium there is nothing to test with: `describe.skipIf(!hasChromium)`. */
export const hasChromium = findChromium() !== undefined

let browser: Browser | undefined

/**
 * The one browser of this process: the files that are tested in it take it over from each other, and
 * each has contexts of its own. It ends with the process.
 */
export async function openBrowser(): Promise<Browser> {
  if (browser?.isConnected() !== true) browser = await launch()
  return browser
}

/** How long a page is waited for: what is under way comes, also on a machine with much else to do. */
const patienceMs = 120_000

/** A headless Chromium that asks nothing of the network beyond this machine. */
async function launch(): Promise<Browser> {
  const started = await chromium.launch({
    executablePath: findChromium() ?? '',
    args: [
      '--no-sandbox',
      '--disable-gpu',
      '--disable-quic',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
      '--process-per-site',
      // A page lives for seconds: code would be compiled for a speed that nobody has use for.
      '--js-flags=--no-turbofan --no-maglev',
    ],
  })
  const newContext = started.newContext.bind(started)
  started.newContext = async (options) => {
    const context = await newContext(options)
    context.setDefaultTimeout(patienceMs)
    return context
  }
  return started
}
