import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { variants } from '../../test/setup/run-length.ts'
import { hasChromium } from './setup/open-browser.ts'
import { openConsole } from './setup/open-console.ts'
import type { OpenConsole } from './setup/open-console.ts'

/** Compressed bodies and headers, as the browser counts them, of every screen. Half of it is React, Mantine and the router. */
const mostBytes = 360_000
const largest = [
  '/tools/analysis.roi',
  '/approvals',
  '/chat/analyst',
  '/agents/analyst',
  '/settings',
]
const others = [
  '/tools',
  '/calls',
  '/workspaces',
  '/chat',
  '/agents',
  '/skills',
  '/mcp-servers',
  '/apis',
  '/secrets',
  '/schedules',
  '/audit',
  '/usage',
]

describe.skipIf(!hasChromium)('the first visit', () => {
  let crib: OpenConsole
  beforeAll(async () => (crib = await openConsole()))
  afterAll(() => crib.close())

  test.each(variants(largest, others))(
    'of %s loads at most 360 KB, nothing of it from elsewhere',
    async (address) => {
      const page = await crib.context.newPage()
      const client = await crib.context.newCDPSession(page)
      await client.send('Network.enable')
      await client.send('Network.setCacheDisabled', { cacheDisabled: true })
      let bytes = 0
      const hosts = new Set<string>()
      client.on('Network.loadingFinished', ({ encodedDataLength }) => (bytes += encodedDataLength))
      page.on('request', (request) => hosts.add(new URL(request.url()).host))
      await page.goto(crib.server.url + address)
      await page.getByRole('heading', { level: 1 }).waitFor()
      await expect.poll(() => bytes).toBeGreaterThan(100_000)
      // Requests after the first picture count, too.
      await page.waitForTimeout(500)
      expect([...hosts]).toEqual([new URL(crib.server.url).host])
      expect(bytes).toBeLessThan(mostBytes)
      await page.close()
    },
  )
})
