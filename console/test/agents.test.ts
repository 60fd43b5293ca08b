import type { Locator, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { copyCrib } from './setup/copied-crib.ts'
import type { CopiedCrib } from './setup/copied-crib.ts'
import { look } from './setup/look.ts'
import { hasChromium } from './setup/open-browser.ts'
import { openConsole } from './setup/open-console.ts'
import type { OpenConsole } from './setup/open-console.ts'
import { signInMember } from './setup/sign-in-member.ts'
import { visit } from './setup/visit.ts'

/** Types a pattern into a field of patterns. */
async function addPattern(within: Page | Locator, field: string, pattern: string): Promise<void> {
  const input = within.getByRole('combobox', { name: field })
  await input.fill(pattern)
  await input.press('Enter')
}

/** A tool with options that an operator sets per agent. */
const letters = `import { defineTool, z } from 'toolcrib'
export default defineTool({
  name: 'letters.write',
  title: 'Write a letter',
  description: 'Writes a letter.',
  effect: 'read',
  timeoutMs: 20_000,
  inputSchema: z.object({ to: z.string() }),
  optionsSchema: z.object({
    voice: z.enum(['calm', 'brief']).default('calm'),
    lines: z.int().min(1).max(20).default(5).describe('How long it may be'),
  }),
  execute: ({ to }, { options }) => ({ to, ...options }),
})
`

describe.skipIf(!hasChromium)('agents and policy in the console', () => {
  let crib: OpenConsole
  let files: CopiedCrib
  beforeAll(async () => {
    files = await copyCrib()
    await files.writeTool('letters.tool.ts', letters)
    crib = await openConsole({ config: files.config, env: files.env })
    const tools = { allow: ['demo.*'] }
    await crib.server.request('/api/v1/agents', { json: { slug: 'helper', tools } })
  })
  // A page that a failed test has left holds a stream, and a browser opens few to one server.
  afterEach(() => Promise.all(crib.context.pages().map((page) => page.close())))
  afterAll(async () => {
    await crib.close()
    await files.remove()
  })

  test('an agent is made, and is found with its counts', async () => {
    const page = await crib.open('/agents')
    await page.getByRole('link', { name: 'Analyst' }).waitFor()
    await page.getByText('Allow 15').waitFor()
    await look(page, 'agents')
    await page.getByRole('button', { name: 'New agent' }).click()
    const dialog = page.getByRole('dialog', { name: 'New agent' })
    await dialog.getByRole('textbox', { name: 'Slug' }).fill('Not a slug')
    await dialog.getByRole('button', { name: 'Create agent' }).click()
    await dialog.getByText(/^must be lower case letters/).waitFor()
    await look(page, 'agents-create')
    await dialog.getByRole('textbox', { name: 'Slug' }).fill('maker')
    await dialog.getByRole('textbox', { name: 'Name' }).fill('مساعد')
    await dialog.getByRole('textbox', { name: 'Instructions' }).fill('You help.')
    await addPattern(dialog, 'Tools', 'demo.*')
    await dialog.getByRole('button', { name: 'Create agent' }).click()
    await page.getByRole('heading', { name: 'مساعد', level: 1 }).waitFor()
    await page.getByText('Created here').waitFor()
    crib.faults.splice(0)
    await page.close()
  })

  test('a hidden tool shows which layer stops it, and its fix is one press away', async () => {
    const page = await crib.open('/agents/helper?show=hidden')
    await page.getByRole('link', { name: /analysis\.roi/ }).click()
    await page.getByRole('heading', { name: 'Why Return on investment is hidden' }).waitFor()
    await page.getByText('agent helper has no grant for analysis.roi').waitFor()
    await look(page, 'agent-hidden')
    await page.getByRole('button', { name: 'Grant it to helper' }).click()
    await page.getByRole('heading', { name: 'Why analysis.roi is allowed' }).waitFor()
    await visit(page, '/agents/helper?tool=demo.signed-webhook')
    await page.getByText('secret webhook_secret is not set').waitFor()
    await page.getByRole('link', { name: 'Add secret' }).click()
    await page.waitForURL('**/secrets?add=webhook_secret')
    await page.close()
  })

  test('settings of an agent for one tool follow the schema of its options, and can be reset', async () => {
    const spec = { slug: 'writer', name: 'Writer', tools: { allow: ['letters.*'] } }
    await crib.server.request('/api/v1/agents', { json: spec })
    const page = await crib.open('/agents/writer?tool=letters.write')
    await page.getByRole('button', { name: 'Settings' }).click()
    const dialog = page.getByRole('dialog', { name: 'Write a letter for Writer' })
    await dialog.getByText('Leave empty to inherit 20 s from the tool.').waitFor()
    await dialog.getByRole('textbox', { name: 'Timeout in seconds' }).fill('1.5')
    await dialog.getByRole('combobox', { name: 'Execution' }).click()
    await page.getByRole('option', { name: /^Background/ }).click()
    await dialog.getByText('Inherited: the tool’s defaults.').waitFor()
    await dialog.getByRole('switch', { name: 'Custom options' }).press('Space')
    await dialog.getByRole('textbox', { name: /^Lines/ }).fill('400')
    await dialog.getByRole('button', { name: 'Save' }).click()
    await dialog.getByRole('alert').first().waitFor()
    await look(page, 'agent-tool-settings')
    await dialog.getByRole('textbox', { name: /^Lines/ }).fill('4')
    await dialog.getByRole('button', { name: 'Save' }).click()
    await page.getByText('Settings for letters.write saved').waitFor()
    await page.getByText('Set for this agent').waitFor()
    const settings = async () =>
      ((await (await crib.server.request('/api/v1/agents/writer')).json()) as { settings: object })
        .settings
    expect(await settings()).toEqual({
      'letters.write': {
        execution: 'background',
        timeoutMs: 1500,
        options: { voice: 'calm', lines: 4 },
      },
    })
    await look(page, 'agent-tool-set')
    // Someone else changes the agent at the same time: their changes are kept.
    await page.getByRole('button', { name: 'Settings' }).click()
    await dialog.getByRole('button', { name: 'Reset to default' }).click()
    await crib.context.request.patch(`${crib.server.url}/api/v1/agents/writer`, {
      data: { name: 'Scribe' },
      headers: { origin: crib.server.url },
    })
    await page.getByRole('dialog').getByRole('button', { name: 'Save' }).click()
    await page
      .getByRole('dialog')
      .getByText(/has changed: it now has version/)
      .waitFor()
    crib.faults.splice(0)
    await page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).click()
    await page.getByRole('button', { name: 'Settings' }).click()
    const again = page.getByRole('dialog', { name: 'Write a letter for Scribe' })
    await again.getByRole('button', { name: 'Reset to default' }).click()
    await again.getByRole('button', { name: 'Save' }).click()
    await page.getByText('Set for this agent').waitFor({ state: 'detached' })
    expect(await settings()).toEqual({})
    await visit(page, '/agents/reader?tool=letters.write')
    await page.getByRole('button', { name: 'Settings' }).click()
    await page.getByText('agents[reader].settings["letters.write"]').waitFor()
    expect(await page.getByRole('button', { name: 'Save' }).count()).toBe(0)
    await look(page, 'agent-tool-settings-declared')
  })

  test('approvals of a declared agent name the configuration key', async () => {
    const page = await crib.open('/agents/analyst?tool=demo.delete-notes')
    await page.getByRole('heading', { name: /is allowed after approval/ }).waitFor()
    await page.getByText('agents[analyst].hooks.confirm').waitFor()
    await look(page, 'agent-asks')
    await page.getByText('Ask 1', { exact: true }).click()
    await page.waitForURL('**show=ask**')
    const rows = page.getByRole('region', { name: 'Tools' }).getByRole('listitem')
    await expect.poll(() => rows.count()).toBe(1)
    await page.close()
  })

  test('the policy of an agent is changed after a look at what that changes', async () => {
    const page = await crib.open('/agents/helper?tab=policy')
    await addPattern(page, 'Deny', 'demo.add-note')
    await addPattern(page, 'Confirm', 'demo.delete-notes')
    await page.getByText('Conservative').click()
    await look(page, 'agent-policy')
    await page.getByRole('button', { name: 'Review changes' }).click()
    const dialog = page.getByRole('dialog')
    const row = dialog.getByRole('listitem').filter({ hasText: 'demo.add-note' })
    await row.getByText('Hidden').waitFor()
    const asked = dialog.getByRole('listitem').filter({ hasText: 'demo.delete-notes' })
    expect(await asked.innerText()).toMatch(/Allow[^]*Ask/)
    await look(page, 'agent-policy-review')
    await dialog.getByRole('button', { name: 'Save' }).click()
    await page.getByText('Rules saved').waitFor()
    const agent = await crib.server.request('/api/v1/agents/helper')
    expect(await agent.json()).toMatchObject({
      autonomy: 'conservative',
      hooks: { confirm: ['demo.delete-notes'] },
      tools: { deny: ['demo.add-note'] },
    })
    await page.close()
  })

  test('typed text is kept when leaving by mistake, and when someone else saves', async () => {
    const change = (json: object) =>
      crib.server.request('/api/v1/agents/helper', { method: 'PATCH', body: JSON.stringify(json) })
    const page = await crib.open('/agents/helper?tab=settings')
    const text = page.getByLabel('Instructions')
    await text.fill('Be short.')
    await page.getByRole('link', { name: 'Calls' }).click()
    await page.getByRole('dialog', { name: 'Leave without saving?' }).waitFor()
    await page.getByRole('button', { name: 'Keep editing' }).click()
    expect(await text.inputValue()).toBe('Be short.')
    await change({ instructions: 'Be long.' })
    await page.getByText('Someone else changed this').waitFor()
    expect(await text.inputValue()).toBe('Be short.')
    await look(page, 'agent-settings-stale')
    await page.getByRole('button', { name: /^Start over/ }).click()
    expect(await text.inputValue()).toBe('Be long.')
    // Changes of others to different fields do not conflict.
    await text.fill('Be kind.')
    const { version } = (await (await change({ name: 'Helper' })).json()) as { version: number }
    await page.getByRole('heading', { name: 'Helper', exact: true }).waitFor()
    await page.getByRole('button', { name: 'Save', exact: true }).click()
    await page.getByText('Settings saved').waitFor()
    const saved = await (await crib.server.request('/api/v1/agents/helper')).json()
    expect(saved).toMatchObject({ instructions: 'Be kind.', version: version + 1 })
    await page.getByRole('link', { name: 'Calls' }).click()
    await page.waitForURL('**/calls')
    await page.close()
  })

  test('a declared agent is shown and not changed, except for grants', async () => {
    const page = await crib.open('/agents/reader?tab=settings')
    await page.getByText('This agent is defined in the configuration').waitFor()
    expect(await page.getByLabel('Instructions').getAttribute('readonly')).not.toBeNull()
    expect(await page.getByRole('button', { name: 'Delete agent' }).count()).toBe(0)
    await look(page, 'agent-declared')
    await page.getByRole('tab', { name: 'Policy' }).click()
    await addPattern(page, 'Add grants', 'demo.add-note')
    await page.getByRole('button', { name: 'Review changes' }).click()
    await page.getByRole('dialog').getByText('demo.add-note').waitFor()
    await page.getByRole('dialog').getByRole('button', { name: 'Save' }).click()
    await page.getByRole('button', { name: 'Remove allow demo.add-note' }).click()
    await page.getByRole('button', { name: 'Remove', exact: true }).click()
    await page.getByText('Grant removed').waitFor()
    await page
      .getByRole('button', { name: 'Remove allow demo.add-note' })
      .waitFor({ state: 'detached' })
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    await look(page, 'agent-declared-policy')
    await page.close()
  })

  test('an agent is looked at as somebody else would have it', async () => {
    const page = await crib.open('/agents/helper?tab=test&as=role%3Aviewer')
    await page.getByText(/Hidden \d\d/).waitFor()
    await page.getByRole('heading', { name: /is hidden/ }).waitFor()
    await look(page, 'agent-test-as')
    await page.close()
  })

  test('a task is set and its run is found', async () => {
    const page = await crib.open('/agents/analyst?tab=runs')
    await page.getByText('No runs yet').waitFor()
    await page.getByRole('textbox', { name: 'Task' }).fill('run demo.list-notes')
    await page.getByRole('button', { name: 'Start' }).click()
    await page.getByText('Completed').waitFor()
    await page.getByRole('link', { name: 'run demo.list-notes' }).waitFor()
    await page.getByText('Answer', { exact: true }).click()
    // One long word, such as JSON, must not make the page wider than a phone.
    const prompt = 'x'.repeat(90)
    await crib.server.request('/api/v1/agents/analyst/runs', { json: { prompt } })
    await page.getByRole('link', { name: /^xxx/ }).waitFor()
    await look(page, 'agent-runs')
    await page.close()
  })

  test('a level of the tenant is tried, saved and removed', async () => {
    const page = await crib.open('/agents?tab=policy')
    // A pattern without matches is reported before it is saved; Enter takes the marked option.
    await addPattern(page, 'Deny', 'delette')
    await page.getByText('matches no tool').waitFor()
    await page.getByRole('button', { name: 'Review changes' }).click()
    await page.getByRole('dialog').getByText('delette matches no tool').waitFor()
    await look(page, 'policy-matches-nothing')
    await page.getByRole('dialog').getByRole('button', { name: 'Back' }).click()
    await page.getByRole('button', { name: 'Remove delette' }).click()
    const deny = page.getByRole('combobox', { name: 'Deny' })
    await deny.pressSequentially('delete')
    await page
      .locator('[role=option][data-combobox-selected]', { hasText: 'demo.delete-notes' })
      .waitFor()
    await deny.press('Enter')
    await page.getByText('matches 1 tool').waitFor()
    await page.getByRole('button', { name: 'Remove demo.delete-notes' }).click()
    await addPattern(page, 'Deny', 'analysis.*')
    await page.getByText(/matches \d+ tools/).waitFor()
    await look(page, 'policy-tenant')
    await page.getByRole('button', { name: 'Review changes' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByRole('region', { name: 'analyst' }).waitFor()
    await look(page, 'policy-review')
    await dialog.getByRole('button', { name: 'Save' }).click()
    await page.getByText('Saved').waitFor()
    await visit(page, '/agents/analyst?tool=analysis.roi')
    await page.getByText('tenant policy denies analysis.*').waitFor()
    await page.getByRole('link', { name: 'Edit the policy' }).click()
    await page.getByRole('button', { name: 'Remove', exact: true }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Save' }).click()
    await page.getByText('Removed').waitFor()
    await page.close()
  })

  test('a pack is turned off with one switch and a look, and groups are made', async () => {
    const page = await crib.open('/agents?tab=policy&kind=pack')
    await page.getByRole('switch', { name: 'Pack analysis' }).press('Space')
    await page.getByRole('dialog', { name: 'Turn pack analysis off' }).waitFor()
    await page.getByRole('dialog').getByRole('button', { name: 'Save' }).click()
    await page.getByText('Pack analysis is off').waitFor()
    await look(page, 'policy-packs')
    await visit(page, '/agents/analyst?tool=analysis.roi')
    await page.getByRole('link', { name: 'Turn on pack analysis' }).click()
    await page.getByRole('dialog', { name: 'Turn pack analysis on' }).waitFor()
    await page.getByRole('dialog').getByRole('button', { name: 'Save' }).click()
    await page.getByText('Pack analysis is on').waitFor()
    await visit(page, '/agents?tab=policy&kind=group')
    await page.getByRole('button', { name: 'Add a group' }).click()
    await page.getByRole('textbox', { name: 'Name' }).fill('figures')
    await addPattern(page, 'Tools', 'analysis.*')
    await page.getByRole('button', { name: 'Review changes' }).click()
    await page.getByText('No agent is affected').waitFor()
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByRole('button', { name: /figures/ }).waitFor()
    await look(page, 'policy-groups')
    await page.close()
  })

  test('people who may not read policy see a notice', async () => {
    const context = await signInMember(crib, 'member')
    const page = await context.newPage()
    await page.goto('/agents')
    await page.getByText('You don’t have access to this').waitFor()
    await look(page, 'agents-not-allowed')
    await visit(page, '/agents/analyst')
    await page.getByText('You don’t have access to this').waitFor()
    await context.close()
  })

  test('a search finds items beyond the loaded page, and stays in the address', async () => {
    for (let at = 10; at < 60; at += 1) {
      await crib.server.request('/api/v1/agents', {
        json: { slug: `many-${at}`, name: `Nº ${at}` },
      })
    }
    const spec = { slug: 'zz-last', name: 'Zürich desk' }
    await crib.server.request('/api/v1/agents', { json: spec })
    const page = await crib.open('/agents')
    await page.getByText('48 agents loaded').waitFor()
    await page.getByRole('textbox', { name: 'Filter agents' }).fill('ZÜRICH')
    await page.getByText('1 agent', { exact: true }).waitFor()
    await page.getByRole('link', { name: 'Zürich desk' }).waitFor()
    await page.reload()
    await page.getByRole('link', { name: 'Zürich desk' }).waitFor()
    await look(page, 'agents-filtered')
    await page.getByRole('textbox', { name: 'Filter agents' }).fill('nobody at all')
    await page.getByText('No agents found').waitFor()
    await page.getByRole('button', { name: 'Clear filter' }).click()
    await page.getByText('48 agents loaded').waitFor()
  })

  test('an unknown agent shows a notice', async () => {
    const page = await crib.open('/agents/nobody')
    await page.getByRole('alert').waitFor()
    await look(page, 'agent-missing')
    crib.faults.splice(0)
    await page.close()
  })
})
