import type { Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { look } from './setup/look.ts'
import { hasChromium } from './setup/open-browser.ts'
import { openConsole } from './setup/open-console.ts'
import type { OpenConsole } from './setup/open-console.ts'
import { signInAs } from './setup/sign-in-as.ts'
import { exampleTools, writeConfig } from './setup/write-config.ts'

const config = {
  tools: [exampleTools],
  agents: [
    {
      slug: 'asker',
      model: 'demo',
      tools: { allow: ['demo.*', 'analysis.*'] },
      hooks: { confirm: ['demo.*'] },
    },
  ],
  approvals: {
    rules: [
      { tools: ['demo.list-notes'], quorum: 2 },
      { tools: ['demo.stream-report'], expiresIn: '20s' },
    ],
  },
}

describe.skipIf(!hasChromium)('approvals', () => {
  let crib: OpenConsole
  beforeAll(async () => {
    crib = await openConsole({ config: await writeConfig(config) })
  })
  // A browser has six connections to a server; a page that is left open keeps one.
  afterEach(async () => {
    await Promise.all(crib.context.pages().map((page) => page.close()))
    await rejectAll()
  })
  afterAll(() => crib.close())

  /** Each test starts without the requests of the one before. */
  async function rejectAll(): Promise<void> {
    const list = await crib.server.request('/api/v1/approvals?status=pending')
    const { items } = (await list.json()) as { items: { id: string }[] }
    if (items.length === 0) return
    const decisions = items.map(({ id }) => ({ id, decision: 'reject' }))
    await crib.server.request('/api/v1/approvals/decisions', { json: { decisions } })
  }
  /** Makes a call that waits; gives its id. */
  async function ask(tool: string, input: object): Promise<string> {
    const answer = await crib.server.request(`/api/v1/tools/${tool}/calls`, {
      json: { input, agent: 'asker' },
    })
    return ((await answer.json()) as { callId: string }).callId
  }
  async function callOf(id: string, wait = 30) {
    const answer = await crib.server.request(`/api/v1/calls/${id}?wait=${wait}`)
    return (await answer.json()) as { status: string; input: unknown; error?: { message: string } }
  }
  async function note(text: string): Promise<string> {
    const answer = await crib.server.request('/api/v1/tools/demo.add-note/calls', {
      json: { input: { text, tags: null } },
    })
    return ((await answer.json()) as { output: { note: { id: string } } }).output.note.id
  }
  const heading = (page: Page, name: string) => page.getByRole('heading', { name, level: 2 })
  const button = (page: Page, name: string | RegExp) => page.getByRole('button', { name })
  /** The focus follows a moment after a move; keys pressed earlier go to the element before it. */
  async function hasFocus(page: Page, text: string): Promise<void> {
    await expect.poll(() => page.evaluate(() => document.activeElement?.textContent)).toBe(text)
  }

  test('requests are decided with the mouse, and new ones do not take the selection', async () => {
    const page = await crib.open('/approvals')
    await page.getByText('Nothing is waiting').waitFor()
    await look(page, 'approvals-empty')
    const first = await ask('demo.delete-notes', { ids: ['note_first'], dryRun: true })
    await heading(page, 'Delete notes').waitFor()
    await page.getByText('Agent asker needs approval for demo.* (rule: confirm)').waitFor()
    const keys = page.getByRole('list', { name: 'Keyboard shortcuts' })
    await keys.getByText('E to edit').waitFor()
    await ask('demo.add-note', { text: 'שלום, a long name that goes on'.repeat(6), tags: null })
    await page.getByRole('link', { name: /Add a note/ }).waitFor()
    expect(await page.getByRole('heading', { level: 2 }).textContent()).toBe('Delete notes')
    await look(page, 'approvals-waiting')
    await button(page, 'Approve and run').click()
    // The request stays and shows its result; one key moves to the next, and the decision is announced.
    await page.getByText('Approved by you').waitFor()
    await page.getByRole('region', { name: 'Result' }).getByText('note_first').first().waitFor()
    expect(await callOf(first)).toMatchObject({ status: 'completed' })
    await page.getByText('Approved: Delete notes').waitFor({ state: 'attached' })
    await look(page, 'approvals-result')
    await hasFocus(page, 'Next request')
    await page.keyboard.press('Enter')
    await hasFocus(page, 'Add a note')
    await button(page, 'Reject').click()
    await page.getByText('Rejected by you').waitFor()
    expect(await button(page, /Next request/).count()).toBe(0)
    // A decided request offers no shortcuts to decide it.
    await keys.getByText('E to edit').waitFor({ state: 'detached' })
    await page.close()
  })

  test('inputs are shown by name, also in the list, in an edit and in its diff', async () => {
    const page = await crib.open('/approvals')
    const [old, hours] = [await note('The old price list'), await note('Opening hours: keep this')]
    const call = await ask('demo.delete-notes', { ids: [old, hours], dryRun: null })
    await page.getByRole('link', { name: /The old price list, Opening hours/ }).waitFor()
    const input = page.getByRole('region', { name: 'Input' })
    expect(await input.innerText()).toMatch(/The old price list\s+note_.*Opening hours/s)
    expect(await input.getByText('Not set: Dry run').count()).toBe(1)
    // Beside the list there is little room: most of it belongs to the names.
    await page.setViewportSize({ width: 1024, height: 768 })
    const widthOf = async (part: string) =>
      (await input.locator(part).first().boundingBox())?.width ?? 0
    expect(await widthOf('dd')).toBeGreaterThan(1.5 * (await widthOf('dt')))
    await look(page, 'approvals-by-name')
    await page.getByText('JSON', { exact: true }).click()
    await page.getByRole('tree', { name: 'Input' }).getByText(hours).waitFor()
    await page.setViewportSize({ width: 1360, height: 620 })
    await button(page, 'Edit').click()
    // Chosen values are shown by name before anybody searches.
    await page.getByText('Opening hours: keep this').last().waitFor()
    await page.getByRole('combobox', { name: 'Notes' }).press('Backspace')
    await page.keyboard.press('Escape')
    const changes = page.getByRole('region', { name: 'Your changes' })
    expect(await changes.innerText()).toMatch(
      /1 change\s+Notes\s+Removed: Opening hours: keep this/,
    )
    // Approving stays in sight, however long the form is.
    await page.evaluate(() => window.scrollTo(0, 0))
    const foot = await button(page, 'Approve with changes').boundingBox()
    expect((foot?.y ?? 620) + (foot?.height ?? 0)).toBeLessThanOrEqual(620)
    await look(page, 'approvals-edit-by-name')
    await page.getByRole('textbox', { name: 'Note' }).fill('Only the old one')
    await button(page, 'Approve with changes').click()
    const result = page.getByRole('region', { name: 'Result' })
    await result.getByText('The old price list').waitFor()
    expect(await callOf(call)).toMatchObject({ status: 'completed', input: { ids: [old] } })
    // The call shows who decided, and what they changed.
    await page.getByRole('link', { name: 'Open call' }).click()
    const panel = page.locator('section', { has: page.getByRole('heading', { name: 'Approval' }) })
    await panel.getByText('edited the input').waitFor()
    expect(await panel.innerText()).toMatch(/Approved by\s+you\s.*Only the old one.*rule: confirm/s)
    const edit = panel.getByRole('region', { name: 'Changes by the approver' })
    expect(await edit.innerText()).toContain('Removed: Opening hours: keep this')
    await page.getByText('by you · input edited · Only the old one').waitFor()
    await look(page, 'call-approved')
    await page.getByRole('tab', { name: 'Input' }).click()
    await page.getByRole('region', { name: 'Input' }).waitFor()
    await look(page, 'call-input')
    await page.getByRole('link', { name: 'Open request' }).click()
    await heading(page, 'Delete notes').waitFor()
    await page.close()
  })

  test('the oldest request comes first, and an id that nobody knows is marked', async () => {
    const page = await crib.open('/approvals')
    await page.getByText('Nothing is waiting').waitFor()
    await ask('demo.delete-notes', { ids: ['note_unknown'], dryRun: true })
    await ask('demo.add-note', { text: 'later', tags: null })
    const rows = page.locator('[data-request] strong')
    await expect.poll(() => rows.allInnerTexts()).toEqual(['Delete notes', 'Add a note'])
    await page.getByRole('region', { name: 'Input' }).getByText('not found').waitFor()
    await page.close()
  })

  test('all of it goes by the keyboard: move, edit with the difference, approve, reject with a reason', async () => {
    const page = await crib.open('/approvals')
    await page.getByText('Nothing is waiting').waitFor()
    const old = await ask('demo.add-note', { text: 'first', tags: null })
    await heading(page, 'Add a note').waitFor()
    const other = await ask('demo.delete-notes', { ids: ['note_other'], dryRun: null })
    await page.getByRole('link', { name: /Delete notes/ }).waitFor()
    await page.keyboard.press('j')
    await hasFocus(page, 'Delete notes')
    await page.keyboard.press('k')
    await hasFocus(page, 'Add a note')
    await page.keyboard.press('e')
    await page.getByRole('textbox', { name: 'Text' }).fill('second')
    const changes = page.getByRole('region', { name: 'Your changes' })
    expect(await changes.innerText()).toMatch(/Text\s+first\s*→.*second/s)
    await look(page, 'approvals-edit')
    await page.keyboard.press('Control+Enter')
    await page.getByText('Approved by you').waitFor()
    await page.keyboard.press('j')
    await hasFocus(page, 'Delete notes')
    expect(await callOf(old)).toMatchObject({ status: 'completed', input: { text: 'second' } })
    await page.getByRole('textbox', { name: 'Note' }).focus()
    await page.keyboard.type('Not these')
    // Where somebody types, this deletes a word and decides nothing.
    await page.keyboard.press('Control+Backspace')
    await page.keyboard.type('those')
    await page.keyboard.press('Tab')
    await page.keyboard.press('Control+Backspace')
    await page.getByText('Rejected by you').waitFor()
    const { status, error } = await callOf(other)
    expect(status).toBe('denied')
    expect(error?.message).toContain('Not those')
    await page.getByRole('tab', { name: 'Decided' }).click()
    await page
      .getByRole('link', { name: /Delete notes.*Rejected/ })
      .first()
      .click()
    await page.getByText('Not those').waitFor()
    await look(page, 'approvals-decided')
    await page.close()
  })

  test('an invalid edit is shown at its field, and the request stays', async () => {
    const page = await crib.open('/approvals')
    const call = await ask('demo.add-note', { text: 'short', tags: null })
    await heading(page, 'Add a note').waitFor()
    await button(page, 'Edit').click()
    await page.getByRole('textbox', { name: 'Text' }).fill('')
    await button(page, /^Approve/).click()
    await page.getByRole('textbox', { name: 'Text' }).waitFor()
    expect(await callOf(call, 0).then(({ status }) => status)).toBe('waiting')
    await button(page, 'Discard changes').click()
    await button(page, 'Approve and run').click()
    expect(await callOf(call)).toMatchObject({ status: 'completed', input: { text: 'short' } })
    await page.close()
  })

  test('two people at once: the first decision counts, and the other sees who made it', async () => {
    const ben = await signInAs(crib, { name: 'ben', role: 'operator' })
    await ask('demo.delete-notes', { ids: ['note_both'], dryRun: true })
    const here = await crib.open('/approvals')
    const there = await ben.newPage()
    // Ben's stream is blocked, so his screen is out of date.
    await there.route('**/api/v1/changes', (route) => route.abort())
    await there.goto(`${crib.server.url}/approvals`)
    await heading(there, 'Delete notes').waitFor()
    await heading(here, 'Delete notes').waitFor()
    await here.getByRole('textbox', { name: 'Note' }).fill('I was first')
    await button(here, 'Reject with this reason').click()
    await here.getByText('Rejected by you').waitFor()
    await button(there, 'Approve and run').click()
    await there.getByText(/Already rejected by owner/i).waitFor()
    await there.getByText('I was first').waitFor()
    await look(there, 'approvals-too-late')
    await here.close()
    await ben.close()
  })

  test('where two approvals are needed, one counts as one of two', async () => {
    const carla = await signInAs(crib, { name: 'carla', role: 'operator' })
    const call = await ask('demo.list-notes', {})
    const here = await crib.open('/approvals')
    await button(here, 'Approve (1 of 2)').click()
    await here.getByText('You approved this. 1 more approval is needed.').waitFor()
    const there = await carla.newPage()
    await there.goto(`${crib.server.url}/approvals`)
    await there.getByText('1 of 2', { exact: false }).first().waitFor()
    await look(there, 'approvals-two-needed')
    await button(there, 'Approve (2 of 2)').click()
    expect(await callOf(call)).toMatchObject({ status: 'completed' })
    await here
      .getByText(/Approved by/)
      .first()
      .waitFor()
    await here.close()
    await carla.close()
  })

  test('a request that arrives before the stream is open is shown as well', async () => {
    const page = await crib.context.newPage()
    const isReleased = Promise.withResolvers<void>()
    await page.route('**/api/v1/changes', async (route) => {
      await isReleased.promise
      await route.continue()
    })
    await page.goto(`${crib.server.url}/approvals`)
    await page.getByText('Nothing is waiting').waitFor()
    await ask('demo.add-note', { text: 'early', tags: [] })
    isReleased.resolve()
    await heading(page, 'Add a note').waitFor()
    expect(await page.getByText('early').count()).toBeGreaterThan(0)
    await page.close()
  })

  test('a remembered approval allows similar calls until it is revoked', async () => {
    const page = await crib.open('/approvals')
    const input = { text: 'again', tags: ['x'] }
    await ask('demo.add-note', input)
    await heading(page, 'Add a note').waitFor()
    await page.getByRole('checkbox', { name: /Remember this: let asker run Add a note/ }).click()
    await page.getByRole('radio', { name: 'With exactly this input' }).waitFor()
    await page
      .getByText(/can run demo.add-note without approval, with exactly this input/)
      .waitFor()
    await look(page, 'approvals-remember')
    await button(page, 'Approve and run').click()
    await page.getByText('Approved by you').waitFor()
    expect(await callOf(await ask('demo.add-note', input))).toMatchObject({ status: 'completed' })
    await page.getByRole('tab', { name: 'Remembered' }).click()
    await button(page, 'Revoke the rule for demo.add-note').waitFor()
    await look(page, 'approvals-remembered')
    await button(page, 'Revoke the rule for demo.add-note').click()
    await page.getByRole('dialog').getByRole('button', { name: 'Revoke' }).click()
    await page.getByText('No remembered approvals').waitFor()
    expect(
      (await crib.server.request(`/api/v1/calls/${await ask('demo.add-note', input)}`)).ok,
    ).toBe(true)
    await page.getByRole('tab', { name: 'Waiting' }).click()
    // A destructive tool is never let through by its name alone.
    await ask('demo.delete-notes', { ids: ['a'], dryRun: true })
    await page.getByRole('link', { name: /Delete notes/ }).click()
    await page.getByRole('checkbox', { name: /Remember this/ }).click()
    expect(await page.getByRole('radio', { name: 'With any input' }).count()).toBe(0)
    // Both at once.
    await page.getByRole('checkbox', { name: 'Select Add a note' }).click()
    await page.getByRole('checkbox', { name: 'Select Delete notes' }).click()
    await page
      .getByRole('region', { name: 'Selected requests' })
      .getByRole('button', { name: 'Reject' })
      .click()
    await button(page, 'Reject all').click()
    await page
      .getByText(/Rejected by you|Nothing is waiting/)
      .first()
      .waitFor()
    await page.close()
  })

  test('time runs out: amber in the last minute, and then nothing is left to decide', async () => {
    const page = await crib.open('/approvals')
    await ask('demo.stream-report', { text: 'x', title: null, delayMs: 0 })
    await page.getByRole('link', { name: /Report on a text/ }).click()
    await page
      .getByText(/expires in \d+ s/)
      .first()
      .waitFor()
    await look(page, 'approvals-soon-over')
    await page.getByText(/without a decision/).waitFor()
    await look(page, 'approvals-expired')
    await page.close()
  })

  test('people who may not decide see what their own calls wait for', async () => {
    const dora = await signInAs(crib, { name: 'dora', role: 'member' })
    const page = await dora.newPage()
    await page.goto(`${crib.server.url}/approvals`)
    await page.getByText('Your calls that need approval').waitFor()
    await look(page, 'approvals-member')
    const made = await page.evaluate(async () => {
      const answer = await fetch('/api/v1/tools/demo.delete-notes/calls', {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ input: { ids: ['mine'], dryRun: true }, agent: 'asker' }),
      })
      return answer.status
    })
    expect(made).toBe(202)
    await page.getByText(/It needs someone with the permission approvals.decide/).waitFor()
    expect(await button(page, /Approve/).count()).toBe(0)
    // No keys and no links that lead nowhere for them.
    expect(await page.getByRole('list', { name: 'Keyboard shortcuts' }).count()).toBe(0)
    expect(await page.getByRole('link', { name: 'asker', exact: true }).count()).toBe(0)
    await page.getByRole('tab', { name: 'Remembered' }).click()
    await page.getByText('You don’t have access to this').waitFor()
    await look(page, 'approvals-not-allowed')
    await dora.close()
  })
})
