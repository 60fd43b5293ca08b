import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { look } from './setup/look.ts'
import { hasChromium } from './setup/open-browser.ts'
import { openConsole } from './setup/open-console.ts'
import type { OpenConsole } from './setup/open-console.ts'

describe.skipIf(!hasChromium)('the studio', () => {
  let crib: OpenConsole
  beforeAll(async () => (crib = await openConsole()))
  afterAll(() => crib.close())

  test('a first tool is made from a step, tested and published', async () => {
    const page = await crib.open('/studio')
    await page.getByText('No tools made here yet').waitFor()
    await look(page, 'studio-empty')
    await page.getByRole('button', { name: 'New tool' }).first().click()
    const dialog = page.getByRole('dialog', { name: 'New tool' })
    await dialog.getByLabel(/^Name/).fill('notes.recent')
    await dialog.getByLabel(/^Description/).fill('Lists the notes that were written last.')
    await dialog.getByRole('button', { name: 'Create draft' }).click()

    await page.getByRole('tab', { name: /^What it does/ }).click()
    await page.getByRole('combobox', { name: /^Tool/ }).fill('list-notes')
    await page.getByRole('option', { name: /demo\.list-notes/ }).click()
    await page.getByText('Draft saved').waitFor()
    await look(page, 'studio-steps')

    await page.getByRole('tab', { name: /^Input/ }).click()
    await page.getByRole('textbox', { name: 'Name of field 1' }).fill('about')
    await page.getByRole('textbox', { name: 'Label of about' }).fill('About')
    // The form beside it follows.
    await page.getByRole('textbox', { name: /^About/ }).fill('anything')
    await page.getByText('Draft saved').waitFor()
    await look(page, 'studio-fields')
    await page.getByRole('button', { name: 'Test', exact: true }).click()
    await page.getByText('completed', { exact: true }).waitFor()

    await page.getByRole('button', { name: 'Publish…' }).click()
    const publish = page.getByRole('dialog', { name: /^Publish/ })
    await publish.getByLabel('Note').fill('First version')
    await look(page, 'studio-publish')
    await publish.getByRole('button', { name: 'Publish', exact: true }).click()
    await page.getByText('Version 1', { exact: true }).waitFor()
    await look(page, 'studio-published')

    const called = await crib.server.request('/api/v1/tools/notes.recent/calls', {
      json: { input: { about: 'anything' } },
    })
    expect(await called.json()).toMatchObject({ status: 'completed' })
    await page.close()
  })

  test('another version is published, and the first one restored', async () => {
    const page = await crib.open('/studio/notes.recent')
    await page.getByRole('textbox', { name: 'Title' }).fill('Recent notes')
    await page.getByText('Draft saved').waitFor()
    await page.getByRole('button', { name: 'Publish…' }).click()
    await page
      .getByRole('dialog', { name: /^Publish/ })
      .getByRole('button', { name: 'Publish', exact: true })
      .click()
    await page.getByText('Version 2', { exact: true }).waitFor()
    await page.getByRole('button', { name: 'Restore' }).click()
    await page
      .getByRole('dialog', { name: 'Restore version 1?' })
      .getByRole('button', { name: 'Restore' })
      .click()
    await page.getByText('Version 1 restored').waitFor()
    const source = await crib.server.request('/api/v1/tools/notes.recent/source')
    expect(await source.json()).toMatchObject({ version: { number: 1, isInForce: true } })
    await page.close()
  })

  test('a tool of others gets other words and approval, and is disabled', async () => {
    const page = await crib.open('/studio/demo.list-notes')
    await page.getByLabel('Title').fill('Our notes')
    await page.getByRole('switch', { name: 'Enabled' }).click()
    await look(page, 'studio-override')
    await page.getByRole('button', { name: 'Save changes' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Disable' }).click()
    await page.getByText('Disabled', { exact: true }).waitFor()
    const called = await crib.server.request('/api/v1/tools/demo.list-notes/calls', {
      json: { input: {} },
    })
    expect(called.status).toBe(404)
    await page.close()
  })

  test('a draft with an error names its place and is not published', async () => {
    const page = await crib.open('/studio')
    await page.getByRole('button', { name: 'New tool' }).first().click()
    const dialog = page.getByRole('dialog', { name: 'New tool' })
    await dialog.getByLabel(/^Name/).fill('orders.find')
    await dialog.getByLabel(/^Description/).fill('Finds an order by its number.')
    await dialog.getByText('HTTP request').click()
    await dialog.getByRole('button', { name: 'Create draft' }).click()
    await page.getByRole('tab', { name: /^What it does/ }).click()
    await page.getByLabel('Address').fill('https://{{input.host}}/orders')
    await page.getByRole('list', { name: 'Problems' }).getByText('spec.url').waitFor()
    await look(page, 'studio-http')
    await page.getByRole('button', { name: 'Publish…' }).click()
    const publish = page.getByRole('dialog', { name: /^Publish/ })
    await publish.getByText('Fix the errors before you publish').waitFor()
    expect(await publish.getByRole('button', { name: 'Publish', exact: true }).isDisabled()).toBe(
      true,
    )
    await page.close()
  })
})
