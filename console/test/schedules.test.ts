import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { look } from './setup/look.ts'
import { hasChromium } from './setup/open-browser.ts'
import { openConsole } from './setup/open-console.ts'
import type { OpenConsole } from './setup/open-console.ts'
import { visit } from './setup/visit.ts'

describe.skipIf(!hasChromium)('schedules', () => {
  let crib: OpenConsole
  beforeAll(async () => (crib = await openConsole()))
  afterAll(() => crib.close())

  test('an Escape right after a question was answered asks again', async () => {
    const page = await crib.open('/schedules')
    await page.getByRole('button', { name: 'New schedule' }).first().click()
    const editor = page.getByRole('dialog', { name: 'New schedule' })
    await editor.getByLabel(/^Name/).fill('Notes of the week')
    const question = page.getByRole('dialog', { name: 'Discard what you entered?' })
    const no = question.getByRole('button', { name: 'Keep editing' })
    await page.keyboard.press('Escape')
    await no.waitFor()
    // No timer of the page has its turn between the two, as on a busy machine.
    const isGone = await no.evaluate(async (button: HTMLElement) => {
      const { setTimeout: start } = window
      const held: (() => void)[] = []
      const hold = (run: () => void, ms?: number) => held.push(() => start(run, ms))
      window.setTimeout = hold as unknown as typeof setTimeout
      button.click()
      await new Promise(requestAnimationFrame)
      await new Promise(requestAnimationFrame)
      const isAway = !button.isConnected
      document.body.dispatchEvent(new KeyboardEvent('keydown', { key: 'Escape', bubbles: true }))
      window.setTimeout = start
      for (const release of held) release()
      return isAway
    })
    expect(isGone).toBe(true)
    await no.click()
    await question.waitFor({ state: 'detached' })
    expect(await editor.getByLabel(/^Name/).inputValue()).toBe('Notes of the week')
    // Only the Escape that answers it does not ask: what lies below hears it, too.
    await page.keyboard.press('Escape')
    await no.waitFor()
    await page.keyboard.press('Escape')
    await question.waitFor({ state: 'detached' })
    expect(await editor.isVisible()).toBe(true)
    await page.close()
  })

  test('one is made for a tool, read back in words, run, paused, changed and deleted', async () => {
    const page = await crib.open('/schedules')
    await page.getByText('No schedules yet').waitFor()
    await look(page, 'schedules-empty')

    await page.getByRole('button', { name: 'New schedule' }).first().click()
    const editor = page.getByRole('dialog', { name: 'New schedule' })
    await editor.getByLabel(/^Name/).fill('Notes of the week')
    await editor.getByLabel('Note').fill('For the Monday meeting')
    await editor.getByRole('combobox', { name: /^Tool/ }).fill('list-notes')
    await page.getByRole('option', { name: /demo\.list-notes/ }).click()
    const preview = editor.getByLabel('Next runs')
    await preview.getByText('Monday to Friday at 09:00').waitFor()
    await expect.poll(() => preview.getByRole('listitem').count()).toBe(5)
    const cron = editor.getByLabel(/^Cron expression/)
    await cron.fill('at tea time')
    await preview.getByText('Not a valid time yet.').waitFor()
    await look(page, 'schedules-editor-fault')
    crib.faults.length = 0
    await editor.getByRole('button', { name: 'Every Monday at 9' }).click()
    await preview.getByText('Every Monday at 09:00').waitFor()
    await look(page, 'schedules-editor')
    // Escape and a click outside ask for confirmation; entered text is kept when it is cancelled.
    for (const slip of [
      () => page.keyboard.press('Escape'),
      () => page.mouse.click(40, 500),
      () => editor.getByRole('button', { name: 'Close' }).click(),
    ]) {
      await slip()
      const question = page.getByRole('dialog', { name: 'Discard what you entered?' })
      await question.getByRole('button', { name: 'Keep editing' }).click()
      await question.waitFor({ state: 'detached' })
      // Its veil goes a moment later, and would take the next click.
      await page.locator('.mantine-Modal-overlay').waitFor({ state: 'detached' })
      expect(await editor.getByLabel(/^Name/).inputValue()).toBe('Notes of the week')
    }
    await page.keyboard.press('Escape')
    await page.getByRole('button', { name: 'Keep editing' }).waitFor()
    await look(page, 'schedules-discard')
    await page.getByRole('button', { name: 'Keep editing' }).click()
    await editor.getByRole('button', { name: 'Create schedule' }).click()

    const drawer = page.getByRole('dialog', { name: 'Notes of the week' })
    await drawer.getByText('No runs yet.').waitFor()
    await drawer.getByText('For the Monday meeting').waitFor()
    expect(await drawer.innerText()).toMatch(/Runs for\s+you\s+Created\s+.* by you/)
    await drawer.getByRole('button', { name: 'Run now' }).click()
    await drawer.getByText('Completed').waitFor()
    await drawer.getByText('run manually').waitFor()
    await look(page, 'schedule')
    await drawer.getByRole('button', { name: 'Pause' }).click()
    await drawer.getByText('Paused').waitFor()
    await drawer.getByRole('button', { name: 'Edit' }).click()
    const changing = page.getByRole('dialog', { name: 'Edit Notes of the week' })
    await changing.getByLabel('Note').fill('')
    await changing.getByText('Interval').click()
    await changing.getByRole('button', { name: '6 hours' }).click()
    await changing.getByLabel('Next runs').getByText('Every 6 hours').waitFor()
    await changing.getByRole('button', { name: 'Save changes' }).click()
    await changing.waitFor({ state: 'hidden' })
    await drawer.getByText('Every 6 hours').waitFor()
    await drawer.getByText('For the Monday meeting').waitFor({ state: 'detached' })
    await drawer.getByRole('button', { name: 'Resume' }).click()
    await drawer.getByText('Active').waitFor()
    const call = await drawer.getByRole('link', { name: 'Open call' }).getAttribute('href')
    expect(call).toMatch(/^\/calls\/call_/)
    await drawer.getByRole('button', { name: 'Close' }).click()
    await look(page, 'schedules')

    await page.getByRole('button', { name: 'Actions for Notes of the week' }).click()
    await page.getByRole('menuitem', { name: 'Delete' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click()
    await page.getByText('No schedules yet').waitFor()
    await page.close()
  })

  test('a schedule that failed too often shows why it was disabled, and an old address shows that it was deleted', async () => {
    const made = await crib.server.request('/api/v1/schedules', {
      method: 'POST',
      json: {
        name: 'جدول',
        tool: 'demo.signed-webhook',
        input: await exampleOf(crib, 'demo.signed-webhook'),
        when: { every: '1s' },
        retries: 0,
      },
    })
    expect(made.status).toBe(201)
    const { id } = (await made.json()) as { id: string }
    const page = await crib.open('/schedules')
    await page.getByText('Disabled').waitFor()
    await look(page, 'schedules-off')
    await visit(page, `/schedules?id=${id}`)
    await page.getByText('This schedule is disabled').waitFor()
    await look(page, 'schedule-off')
    await visit(page, '/schedules?id=sch_gone')
    await page.getByText(/There is no schedule/).waitFor()
    await look(page, 'schedule-gone')
    crib.faults.length = 0
    await page.close()
  })
})

async function exampleOf({ server }: OpenConsole, tool: string): Promise<unknown> {
  const answer = await server.request(`/api/v1/tools/${tool}`)
  const { examples } = (await answer.json()) as { examples: { input: unknown }[] }
  return examples[0]?.input ?? {}
}
