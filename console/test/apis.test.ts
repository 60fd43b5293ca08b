import { createServer } from 'node:http'
import type { Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { look } from './setup/look.ts'
import { hasChromium } from './setup/open-browser.ts'
import { openConsole } from './setup/open-console.ts'
import type { OpenConsole } from './setup/open-console.ts'
import { petShop } from './setup/pet-shop.ts'

let summary = 'Read a pet'

describe.skipIf(!hasChromium)('APIs in the console', () => {
  let crib: OpenConsole
  let shop: Server
  let url: string
  beforeAll(async () => {
    shop = createServer(({ url: path = '' }, response) => {
      const body = path === '/openapi.json' ? petShop(summary) : { id: '7', name: 'Rex' }
      response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(body))
    })
    await new Promise<void>((resolve) => shop.listen(0, '127.0.0.1', resolve))
    url = `http://127.0.0.1:${(shop.address() as AddressInfo).port}/openapi.json`
    crib = await openConsole()
  })
  afterEach(() => Promise.all(crib.context.pages().map((page) => page.close())))
  afterAll(async () => {
    await crib.close()
    shop.close()
  })

  test('an API is previewed, chosen from, imported, called, and reviewed after a change', async () => {
    const page = await crib.open('/apis')
    await page.getByText('No APIs yet').waitFor()
    await look(page, 'apis-empty')
    await page.getByRole('button', { name: 'Import API' }).first().click()
    const dialog = page.getByRole('dialog', { name: 'Import API' })
    await dialog.getByRole('textbox', { name: 'Document URL' }).fill(`${url}x`)
    await dialog.getByRole('button', { name: 'Preview' }).click()
    await dialog.getByRole('alert').waitFor()
    // The browser reports every refused request.
    crib.faults.length = 0
    await dialog.getByRole('textbox', { name: 'Document URL' }).fill(url)
    await dialog.getByRole('button', { name: 'Preview' }).click()
    await dialog.getByText('4 of 5 chosen').waitFor()
    await dialog.getByText('which is not fetched').waitFor()
    await dialog.getByRole('textbox', { name: 'Filter operations' }).fill('remove')
    await dialog.getByRole('button', { name: 'Choose none of these' }).click()
    await dialog.getByText('3 of 5 chosen').waitFor()
    await dialog.getByRole('textbox', { name: 'Filter operations' }).fill('legacy')
    await dialog.getByRole('button', { name: 'Choose these 1' }).click()
    await dialog.getByRole('textbox', { name: 'Filter operations' }).fill('')
    await dialog.getByRole('combobox', { name: 'Secret for shop' }).fill('shop_token')
    await look(page, 'apis-add')
    await dialog.getByRole('button', { name: 'Import 4 operations' }).click()
    await page.getByRole('heading', { name: 'Pet shop', level: 1 }).waitFor()
    await page.getByText('A secret is missing').waitFor()
    await page.getByRole('region', { name: 'legacy is quarantined' }).waitFor()
    await look(page, 'api')
    const secret = { value: 'a-token-of-the-shop' }
    const body = JSON.stringify(secret)
    await crib.server.request('/api/v1/secrets/shop_token', { method: 'PUT', body })
    const result = await crib.server.request('/api/v1/tools/api:pet-shop:pets.read/calls', {
      method: 'POST',
      json: { input: { id: '7' } },
    })
    expect(await result.text()).toContain('Rex')

    summary = 'Read a pet, and tell nobody'
    await page.getByRole('button', { name: 'Refresh' }).click()
    const aside = page.getByRole('region', { name: 'pets.read is quarantined' })
    await aside.getByText('and tell nobody').first().waitFor()
    await look(page, 'api-quarantined')
    await aside.getByRole('button', { name: 'Accept' }).click()
    await page.getByText('pets.read accepted').waitFor()
    await page.getByRole('button', { name: 'Make my own of pets.read' }).click()
    const own = page.getByRole('dialog', { name: 'Make a tool of this' })
    await own.getByText(/^GET .*\/pets\/\{\{input\.id\}\}$/).waitFor()
    await look(page, 'api-own')
    await own.getByRole('button', { name: 'Create draft' }).click()
    await page.getByRole('heading', { name: 'pet-shop.pets.read' }).waitFor()
    await page.goto(`${crib.server.url}/apis/pet-shop`)
    await page.getByRole('tab', { name: 'Settings' }).click()
    await page.getByRole('textbox', { name: 'Title' }).fill('The shop')
    await look(page, 'api-settings')
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByRole('heading', { name: 'The shop', level: 1 }).waitFor()
    await page.getByRole('link', { name: 'APIs' }).first().click()
    await page.getByRole('link', { name: 'The shop' }).waitFor()
    await look(page, 'apis')
  })
})
