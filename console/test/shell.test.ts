import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { look } from './setup/look.ts'
import { hasChromium, openConsole } from './setup/open-console.ts'
import type { OpenConsole } from './setup/open-console.ts'

describe.skipIf(!hasChromium)('the frame of the console', () => {
  let crib: OpenConsole
  beforeAll(async () => (crib = await openConsole()))
  afterAll(() => crib.close())

  test('whoever is signed in lands on the tools', async () => {
    const page = await crib.open('/')
    await page.getByRole('heading', { name: 'Tools', level: 1 }).waitFor()
    expect(await page.title()).toBe('Tools · Toolcrib')
    await page.close()
  })

  test('an address where nothing is says so', async () => {
    const page = await crib.open('/nowhere')
    await page.getByText('Nothing is at this address').waitFor()
    await look(page, 'not-found')
    await page.close()
  })

  test('whoever is not signed in is asked to, and comes back', async () => {
    const context = await crib.browser.newContext()
    const page = await context.newPage()
    await page.goto(`${crib.server.url}/calls?status=failed`)
    expect(new URL(page.url()).pathname).toBe('/sign-in')
    expect(new URL(page.url()).searchParams.get('next')).toBe('/calls?status=failed')
    await context.close()
  })
})
