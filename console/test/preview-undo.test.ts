import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { look } from './setup/look.ts'
import { hasChromium } from './setup/open-browser.ts'
import { openConsole } from './setup/open-console.ts'
import type { OpenConsole } from './setup/open-console.ts'

describe.skipIf(!hasChromium)('preview and undo', () => {
  let crib: OpenConsole
  beforeAll(async () => (crib = await openConsole()))
  afterAll(() => crib.close())

  async function call(tool: string, input: object, agent?: string) {
    const json = { input, ...(agent !== undefined && { agent }) }
    const response = await crib.server.request(`/api/v1/tools/${tool}/calls`, { json })
    return (await response.json()) as { callId: string; output?: { note: { id: string } } }
  }
  async function addNote(text: string): Promise<string> {
    return (await call('demo.add-note', { text })).output?.note.id ?? ''
  }
  async function hasNote(text: string): Promise<boolean> {
    return JSON.stringify(await call('demo.list-notes', {})).includes(text)
  }

  test('a preview shows what a call would change, and changes nothing', async () => {
    const id = await addNote('Water the plants')
    // A call that waits for its approval, whose form is filled in again.
    const { callId } = await call('demo.delete-notes', { ids: [id] }, 'analyst')
    await crib.server.request(`/api/v1/calls/${callId}/cancel`, { method: 'POST' })
    const page = await crib.open(`/tools/demo.delete-notes?from=${callId}`)
    await page.getByRole('button', { name: 'Preview' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByText('Deletes 1 note.').waitFor()
    await dialog.getByRole('table').getByText('Water the plants').waitFor()
    await look(page, 'call-preview')
    expect(await hasNote('Water the plants')).toBe(true)
    await page.close()
  })

  test('a call is undone from its page, once', async () => {
    const id = await addNote('Call the landlord')
    const { callId } = await call('demo.delete-notes', { ids: [id] })
    expect(await hasNote('Call the landlord')).toBe(false)
    const page = await crib.open(`/calls/${callId}`)
    await page.getByRole('button', { name: /^Undo/ }).click()
    await look(page, 'call-undo')
    await page.getByRole('dialog').getByRole('button', { name: 'Undo' }).click()
    await page.waitForURL((url) => !url.pathname.endsWith(callId))
    await expect.poll(() => hasNote('Call the landlord')).toBe(true)
    await page.goto(`${crib.server.url}/calls/${callId}`)
    await page.getByRole('link', { name: 'Show the undo' }).waitFor()
    expect(await page.getByRole('button', { name: /^Undo/ }).count()).toBe(0)
    await page.close()
  })

  test('an approval asks again when what it would change has changed', async () => {
    const ids = [await addNote('Order paper'), await addNote('Order ink')]
    await call('demo.delete-notes', { ids }, 'analyst')
    const page = await crib.open('/approvals')
    await page.getByText('Deletes 2 notes.').waitFor()
    await look(page, 'approval-preview')
    // Somebody deletes one of them in the meantime.
    await call('demo.delete-notes', { ids: ids.slice(0, 1) })
    await page
      .getByRole('button', { name: /^Approve/ })
      .first()
      .click()
    await page.getByText('Deletes 1 note.').waitFor()
    await look(page, 'approval-reopened')
    expect(await hasNote('Order ink')).toBe(true)
    await page
      .getByRole('button', { name: /^Approve/ })
      .first()
      .click()
    await expect.poll(() => hasNote('Order ink')).toBe(false)
    await page.close()
  })
})
