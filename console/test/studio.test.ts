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

  test('calls on record become a tool, and a test and an example of one', async () => {
    const found = await crib.server.request('/api/v1/calls?tool=notes.recent&limit=1')
    const { items } = (await found.json()) as { items: { callId: string }[] }
    const page = await crib.open(`/calls/${items[0]?.callId}`)
    await page.getByRole('button', { name: 'Add as example' }).click()
    await page.getByText('Added to the examples of your draft.').waitFor()
    await page.getByRole('tab', { name: /^What it does/ }).waitFor()
    await page.goBack()
    await page.getByRole('button', { name: 'Add as test' }).click()
    await page.getByText('Added to the tests of your draft.').waitFor()
    const source = await crib.server.request('/api/v1/tools/notes.recent/source')
    const { draft } = (await source.json()) as { draft: object }
    const label = expect.stringMatching(/^As recorded on/)
    const input = { about: 'anything' }
    expect(draft).toMatchObject({
      document: { examples: [{ label, input }], tests: [{ label, input }] },
      findings: [],
    })

    await page.goBack()
    await page.getByRole('button', { name: 'Make a tool of this' }).click()
    const dialog = page.getByRole('dialog', { name: 'Make a tool of this' })
    await dialog.getByRole('list', { name: 'Steps' }).getByText('demo.list-notes').waitFor()
    await dialog.getByLabel(/^Name/).fill('notes.again')
    await look(page, 'studio-from-call')
    await dialog.getByRole('button', { name: 'Create draft' }).click()
    await page.getByRole('heading', { name: 'notes.again' }).waitFor()
    await page.close()
  })

  test('a fixed value of a record is asked for instead', async () => {
    const post = (path: string, json: unknown) => crib.server.request(`/api/v1${path}`, { json })
    const properties = { text: { type: 'string' } }
    const input = { text: '{{input.text}}', tags: ['shopping'] }
    const document = {
      name: 'notes.shop',
      description: 'Keeps something to buy.',
      inputSchema: { type: 'object', properties, required: ['text'] },
      spec: { kind: 'composition', steps: [{ id: 'add', tool: 'demo.add-note', input }] },
    }
    await post('/tools', { document, publish: true })
    const called = await post('/tools/notes.shop/calls', { input: { text: 'Milk and bread' } })
    const { callId } = (await called.json()) as { callId: string }
    const page = await crib.open(`/calls/${callId}`)
    await page.getByRole('button', { name: 'Make a tool of this' }).click()
    const dialog = page.getByRole('dialog', { name: 'Make a tool of this' })
    await dialog.getByRole('checkbox', { name: /shopping/ }).check()
    await look(page, 'studio-from-constants')
    await dialog.getByLabel(/^Name/).fill('notes.tagged')
    await dialog.getByRole('button', { name: 'Create draft' }).click()
    await page.getByRole('heading', { name: 'notes.tagged' }).waitFor()
    const source = await crib.server.request('/api/v1/tools/notes.tagged/source')
    expect(await source.json()).toMatchObject({
      draft: { document: { inputSchema: { required: ['text', 'tags'] } } },
    })
    await page.close()
  })

  test('a run and its conversation become a tool', async () => {
    const prompt = 'run demo.add-note with {"text":"Buy milk"}'
    const started = await crib.server.request('/api/v1/agents/analyst/runs', { json: { prompt } })
    const { id, conversationId } = (await started.json()) as Record<string, string>
    await crib.server.request(`/api/v1/runs/${id}?wait=30`)
    const page = await crib.open('/agents/analyst?tab=runs')
    await page.getByRole('button', { name: 'Make a tool of this' }).click()
    const dialog = page.getByRole('dialog', { name: 'Make a tool of this' })
    await dialog.getByLabel(/^Name/).fill('notes.from-run')
    await dialog.getByRole('button', { name: 'Create draft' }).click()
    await page.getByRole('heading', { name: 'notes.from-run' }).waitFor()
    await page.goto(`${crib.server.url}/chat/analyst/${conversationId}`)
    await page.getByRole('button', { name: 'Make a tool of this' }).click()
    const steps = dialog.getByRole('list', { name: 'Steps' })
    await expect.poll(() => steps.getByText('demo.add-note').count()).toBe(1)
    await page.close()
  })

  test('a draft that runs for real asks before each effect', async () => {
    const step = (id: string, tool: string, input: object) => ({ id, tool, input })
    const document = {
      name: 'notes.real',
      description: 'Keeps a note.',
      inputSchema: { type: 'object', properties: {} },
      spec: {
        kind: 'composition',
        steps: [
          step('list', 'demo.list-notes', {}),
          step('add', 'demo.add-note', { text: 'Kept by a test', tags: null }),
        ],
      },
    }
    await crib.server.request('/api/v1/tools', { json: { document } })
    const page = await crib.open('/studio/notes.real')
    await page.getByRole('switch', { name: 'Run for real' }).click()
    await page.getByRole('button', { name: 'Test', exact: true }).click()
    const ask = page.getByRole('region', { name: 'Approve demo.add-note' })
    const approve = ask.getByRole('button', { name: /^Approve/ })
    await approve.waitFor()
    await look(page, 'studio-real')
    await approve.click()
    await page.getByText('Completed', { exact: true }).first().waitFor()
    const steps = page.getByRole('list', { name: 'Steps of this run' })
    expect(await steps.getByRole('listitem').count()).toBe(2)
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
