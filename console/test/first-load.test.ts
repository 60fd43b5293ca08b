import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { hasChromium, openConsole } from './setup/open-console.ts'
import type { OpenConsole } from './setup/open-console.ts'

/** Over the wire, as the browser counts it: compressed bodies and headers. */
const mostBytes: Readonly<Record<string, number>> = {
  '/tools': 340_000,
  // With the form, what is decided on, or a conversation beside the frame.
  '/tools/analysis.roi': 385_000,
  '/approvals': 370_000,
  '/calls': 380_000,
}

describe.skipIf(!hasChromium)('the first visit', () => {
  let crib: OpenConsole
  beforeAll(async () => (crib = await openConsole()))
  afterAll(() => crib.close())

  test.each(Object.entries(mostBytes))(
    'of %s loads at most %d bytes, nothing of it from elsewhere',
    async (address, most) => {
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
      await page.waitForTimeout(500)
      expect([...hosts]).toEqual([new URL(crib.server.url).host])
      expect(bytes).toBeGreaterThan(100_000)
      expect(bytes).toBeLessThan(most)
      await page.close()
    },
  )
})
