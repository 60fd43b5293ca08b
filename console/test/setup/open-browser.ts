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

/** A headless Chromium that asks nothing of the network beyond this machine. */
function launch(): Promise<Browser> {
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
      // A page lives for seconds: code would be compiled for a speed that nobody has use for.
      '--js-flags=--no-turbofan --no-maglev',
    ],
  })
}
