import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { answerJson, serveWeb, type WebServer } from '../../test/setup/web-server.ts'
import { look } from './setup/look.ts'
import { hasChromium } from './setup/open-browser.ts'
import { openConsole } from './setup/open-console.ts'
import type { OpenConsole } from './setup/open-console.ts'

describe.skipIf(!hasChromium)('in the studio', () => {
  let folder: string
  let web: WebServer
  let crib: OpenConsole
  beforeAll(async () => {
    folder = await mkdtemp(path.join(tmpdir(), 'studio '))
    const config = path.join(folder, 'toolcrib.yaml')
    await writeFile(config, 'network: { addresses: ["127.0.0.0/8"] }\n')
    web = await serveWeb(({ url }, response) => answerJson(response, { path: url.pathname }))
    crib = await openConsole({ config })
  })
  afterAll(async () => {
    await crib.close()
    await web.close()
    await rm(folder, { recursive: true })
  })

  /** Makes a draft of this kind, whose work is then filled in, and publishes it. */
  async function make(name: string, kind: string, fill: (page: Page) => Promise<void>) {
    const page = await crib.open('/studio')
    await page.getByRole('button', { name: 'New tool' }).first().click()
    const dialog = page.getByRole('dialog', { name: 'New tool' })
    await dialog.getByLabel(/^Name/).fill(name)
    await dialog.getByLabel(/^Description/).fill('A tool that was made in the studio, for a test.')
    await dialog.getByRole('radio', { name: kind, exact: true }).check()
    await dialog.getByRole('button', { name: 'Create draft' }).click()
    await page.getByRole('tab', { name: /^What it does/ }).click()
    await fill(page)
    await page.getByText('Draft saved').waitFor()
    await look(page, `studio-kind-${kind.split(' ')[0]?.toLowerCase() ?? ''}`)
    await page.getByRole('button', { name: 'Publish…' }).click()
    const publish = page.getByRole('dialog', { name: /^Publish/ })
    await publish.getByRole('button', { name: 'Publish', exact: true }).click()
    await page.getByText('Version 1', { exact: true }).waitFor()
    await page.close()
  }

  /** Calls it as a person does, by its form. */
  async function run(name: string): Promise<Page> {
    const page = await crib.open(`/tools/${name}`)
    await page.getByLabel(/^Text/).fill('a')
    await page.getByRole('button', { name: 'Run', exact: true }).click()
    return page
  }
  async function expectText(page: Page, text: string): Promise<void> {
    await page.getByText(text).first().waitFor()
    await page.close()
  }

  test('a request is made, and called by its form', async () => {
    await make('desk.http', 'HTTP request', async (page) => {
      await page.getByLabel('Address').fill(`${web.url}/desks/{{input.text}}`)
    })
    await expectText(await run('desk.http'), '/desks/a')
  })

  test('code is written, and called by its form', async () => {
    await make('desk.code', 'Code', async (page) => {
      const editor = page.getByRole('textbox', { name: 'Code' })
      await editor.click()
      await page.keyboard.press('ControlOrMeta+A')
      await page.keyboard.type("return { loud: input.text.toUpperCase() + '!' }")
    })
    await expectText(await run('desk.code'), 'A!')
  })

  test('a prompt is written, and called by its form', async () => {
    await make('desk.prompt', 'Prompt', async (page) => {
      await page.getByRole('textbox', { name: 'Question' }).fill('Say {{input.text}}')
      await page.getByRole('textbox', { name: 'Model' }).fill('demo')
    })
    await expectText(await run('desk.prompt'), 'offline demo model')
  })

  test('a task is given to people, and waits for them', async () => {
    await make('desk.task', 'Task', async (page) => {
      await page.getByRole('textbox', { name: 'Instructions' }).fill('Look at {{input.text}}')
    })
    const page = await run('desk.task')
    await expect
      .poll(async () => {
        const questions = await crib.server.request('/api/v1/questions')
        return JSON.stringify(await questions.json())
      })
      .toContain('Look at a')
    await page.close()
  })

  test('steps call the tool that was made before', async () => {
    await make('desk.steps', 'Steps', async (page) => {
      await page.getByRole('combobox', { name: /^Tool/ }).fill('desk.code')
      await page.getByRole('option', { name: /desk\.code/ }).click()
      await page.getByRole('combobox', { name: /^text/i }).click()
      await page.getByRole('option', { name: '{{input.text}}' }).click()
      await page.getByRole('button', { name: 'Add condition' }).click()
      await page.getByRole('combobox', { name: 'Field of condition 1' }).fill('input.text')
      await page.getByRole('combobox', { name: 'Operator of condition 1' }).click()
      await page.getByRole('option', { name: 'is one of' }).click()
      await page.getByRole('textbox', { name: 'Value of condition 1' }).fill('a, b')
    })
    await expectText(await run('desk.steps'), 'A!')
  })
})
