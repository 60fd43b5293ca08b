import type { Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { look } from './setup/look.ts'
import { hasChromium } from './setup/open-browser.ts'
import { openConsole } from './setup/open-console.ts'
import type { OpenConsole } from './setup/open-console.ts'

const refund = {
  title: 'How much do we refund?',
  text: 'The customer paid **120 €**.',
  schema: {
    type: 'object',
    properties: {
      amount: { type: 'number', minimum: 0, maximum: 120, title: 'Amount' },
      method: { enum: ['card', 'voucher'], title: 'Method' },
    },
    required: ['amount', 'method'],
  },
}

describe.skipIf(!hasChromium)('questions', () => {
  let crib: OpenConsole
  beforeAll(async () => {
    crib = await openConsole()
  })
  afterEach(async () => {
    await Promise.all(crib.context.pages().map((page) => page.close()))
  })
  afterAll(() => crib.close())

  async function ask(input: object): Promise<string> {
    const answer = await crib.server.request('/api/v1/tools/flow.ask/calls', { json: { input } })
    return ((await answer.json()) as { callId: string }).callId
  }
  async function callOf(id: string) {
    const answer = await crib.server.request(`/api/v1/calls/${id}?wait=30`)
    return (await answer.json()) as { status: string; output?: unknown; error?: object }
  }
  const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true })

  test('a question appears, its form is checked, and the answer ends the call', async () => {
    const page = await crib.open('/questions')
    await page.getByText('Nobody is waiting for you').waitFor()
    await look(page, 'questions-empty')
    const call = await ask(refund)
    await page.getByRole('heading', { name: refund.title, level: 2 }).waitFor()
    await page.getByText('expires in 6 days').first().waitFor()
    await page
      .getByRole('link', { name: /^Questions/ })
      .getByText('1')
      .waitFor()
    await look(page, 'questions-waiting')
    await button(page, 'Answer').click()
    await page.getByRole('alert').first().waitFor()
    await page.getByLabel(/^Amount/).fill('60')
    await page.getByText('voucher').click()
    await page.keyboard.press('Control+Enter')
    await page.getByText('Answered by you').waitFor()
    expect(await callOf(call)).toMatchObject({
      status: 'completed',
      output: { amount: 60, method: 'voucher' },
    })
    await look(page, 'questions-answered')
  })

  test('the page of the call shows the form, and a decline gives its reason', async () => {
    const call = await ask({ title: 'Which room?' })
    const page = await crib.open(`/calls/${call}`)
    await page.getByRole('heading', { name: 'Which room?' }).waitFor()
    await look(page, 'questions-on-call')
    await button(page, 'Decline').click()
    await page.getByLabel('Reason').fill('No meeting')
    await button(page, 'Decline with this reason').click()
    expect(await callOf(call)).toMatchObject({
      status: 'failed',
      error: { message: 'A person declined to answer: No meeting' },
    })
  })

  test('the page of a composition shows the question that it waits for', async () => {
    const input = { name: 'a printer', initialCost: 100, yearlyBenefit: 60 }
    const path = '/api/v1/tools/demo.decide-investment/calls'
    const answer = await crib.server.request(path, { json: { input } })
    const { callId } = (await answer.json()) as { callId: string }
    const page = await crib.open(`/calls/${callId}`)
    await page.getByRole('heading', { name: 'Invest 100 in a printer?' }).waitFor()
    await page.getByText('drop', { exact: true }).click()
    await button(page, 'Answer').click()
    expect(await callOf(callId)).toMatchObject({
      status: 'completed',
      output: { result: { decision: 'drop' } },
    })
  })

  test('a question that somebody else answers first shows the outcome', async () => {
    await ask({ title: 'First come?' })
    const page = await crib.open('/questions')
    await page.getByRole('heading', { name: 'First come?' }).waitFor()
    const list = await crib.server.request('/api/v1/questions?status=pending&mine=true')
    const { items } = (await list.json()) as { items: { id: string }[] }
    const json = { input: { answer: 'I did' } }
    await crib.server.request(`/api/v1/questions/${items[0]?.id ?? ''}/answer`, { json })
    await page.getByText('Answered by').waitFor()
    await page.getByText('I did').waitFor()
    expect(await button(page, 'Answer').count()).toBe(0)
  })
})
