import path from 'node:path'
import type { Page } from 'playwright-core'
import { type OpenConsole, openConsole } from './setup/open-console.ts'
import { draftInvestment } from './setup/invest-draft.ts'
import { petShop } from './setup/pet-shop.ts'

// npm run screenshots -- --guide [NAME…]: the pictures that README and guide show, of the example crib in use.

type Scheme = 'light' | 'dark'

/** One picture, or two with the scheme at the end of their names. */
interface Picture {
  name: string
  schemes: readonly Scheme[]
  /** Opens what it shows; resolves when that can be seen. */
  show(scene: Scene): Promise<Page>
}

interface Scene extends OpenConsole {
  noteIds: readonly string[]
  work: Repair
}

/** A file that was repaired in a workspace, with the calls of its test and its edit. */
interface Repair {
  workspace: string
  failingTest: string
  edit: string
}

const folder = path.join(import.meta.dirname, '../../docs/images')

const pictures: readonly Picture[] = [
  {
    name: 'tool',
    schemes: ['light', 'dark'],
    async show({ open }) {
      const page = await open('/tools/analysis.roi?example=0')
      await page.getByRole('button', { name: 'Run', exact: true }).click()
      await page.locator('.recharts-surface').first().waitFor()
      return page
    },
  },
  {
    name: 'tools',
    schemes: ['light', 'dark'],
    async show({ open }) {
      const page = await open('/tools')
      await page.getByText('Return on investment').first().waitFor()
      return page
    },
  },
  {
    name: 'approvals',
    schemes: ['light'],
    async show({ open, server, noteIds }) {
      const call = { input: { ids: noteIds }, agent: 'analyst' }
      await server.request('/api/v1/tools/demo.delete-notes/calls', { method: 'POST', json: call })
      const page = await open('/approvals')
      await page
        .getByRole('button', { name: /^Approve/ })
        .first()
        .waitFor()
      return page
    },
  },
  {
    name: 'question',
    schemes: ['light', 'dark'],
    async show({ open, server }) {
      const input = {
        title: 'How much do we refund for invoice 2041?',
        text: 'The customer paid **120 €** and got half of the order.',
        schema: {
          type: 'object',
          properties: {
            amount: { type: 'number', minimum: 0, maximum: 120, title: 'Amount in €' },
            method: { enum: ['card', 'voucher'], title: 'Method' },
            note: { type: 'string', format: 'textarea', title: 'Note to the customer' },
          },
          required: ['amount', 'method'],
        },
        to: ['role:operator'],
        expiresIn: '2d',
      }
      await server.request('/api/v1/tools/flow.ask/calls', { method: 'POST', json: { input } })
      const page = await open('/questions')
      await page.getByRole('button', { name: 'Answer' }).waitFor()
      return page
    },
  },
  {
    name: 'preview',
    schemes: ['light', 'dark'],
    async show({ open, server, noteIds }) {
      const json = { input: { ids: noteIds }, agent: 'analyst' }
      const path = '/api/v1/tools/demo.delete-notes/calls'
      const asked = await server.request(path, { method: 'POST', json })
      const { callId } = (await asked.json()) as { callId: string }
      const page = await open(`/tools/demo.delete-notes?from=${callId}`)
      await page.getByRole('button', { name: 'Preview' }).click()
      await page.getByRole('dialog').getByRole('table').waitFor()
      return page
    },
  },
  {
    name: 'undo',
    schemes: ['light', 'dark'],
    async show({ open, server }) {
      const add = await server.request('/api/v1/tools/demo.add-note/calls', {
        method: 'POST',
        json: { input: { text: 'Ask the landlord about the roof' } },
      })
      const { output } = (await add.json()) as { output: { note: { id: string } } }
      const json = { input: { ids: [output.note.id] } }
      const path = '/api/v1/tools/demo.delete-notes/calls'
      const deleted = await server.request(path, { method: 'POST', json })
      const { callId } = (await deleted.json()) as { callId: string }
      const page = await open(`/calls/${callId}`)
      await page.getByRole('button', { name: /^Undo/ }).waitFor()
      return page
    },
  },
  {
    name: 'call',
    schemes: ['dark'],
    async show({ open, server }) {
      const list = await server.request('/api/v1/calls?tool=analysis.roi&limit=1')
      const { items } = (await list.json()) as { items: { callId: string }[] }
      const page = await open(`/calls/${items[0]?.callId ?? ''}`)
      await page.locator('.recharts-surface').first().waitFor()
      return page
    },
  },
  {
    name: 'agent',
    schemes: ['light'],
    async show({ open }) {
      const page = await open('/agents/analyst?tool=demo.signed-webhook')
      await page.getByText('demo.signed-webhook').first().waitFor()
      return page
    },
  },
  {
    name: 'usage',
    schemes: ['light'],
    async show({ open }) {
      const page = await open('/usage')
      await page.locator('.recharts-surface').first().waitFor()
      return page
    },
  },
  {
    name: 'chat',
    schemes: ['light'],
    async show({ open, noteIds }) {
      const page = await open('/chat/analyst')
      const words = `call demo.delete-notes with ${JSON.stringify({ ids: noteIds.slice(0, 1) })}`
      await page.getByPlaceholder(/Ask/).fill(words)
      await page.keyboard.press('Enter')
      await page
        .getByRole('button', { name: /^Approve/ })
        .first()
        .waitFor()
      return page
    },
  },
  {
    name: 'terminal',
    schemes: ['light'],
    async show({ open, work }) {
      const page = await open(`/calls/${work.failingTest}`)
      await page.getByText('Exit code 1').first().waitFor()
      return page
    },
  },
  {
    name: 'diff',
    schemes: ['dark'],
    async show({ open, work }) {
      const page = await open(`/calls/${work.edit}`)
      await page.getByText('src/total.mjs').first().waitFor()
      return page
    },
  },
  {
    name: 'workspace',
    schemes: ['light', 'dark'],
    async show({ open, work }) {
      const page = await open(`/workspaces/${work.workspace}`)
      await page.getByRole('treeitem', { name: 'src' }).click()
      await page.getByRole('treeitem', { name: /total\.mjs/ }).click()
      await page.getByText('reduce').first().waitFor()
      return page
    },
  },
  {
    name: 'steps',
    schemes: ['light', 'dark'],
    async show({ open, server }) {
      const input = { name: 'a second label printer', initialCost: 100_000, yearlyBenefit: 40_000 }
      const path = '/api/v1/tools/demo.decide-investment/calls'
      const asked = await server.request(path, { method: 'POST', json: { input } })
      const { callId } = (await asked.json()) as { callId: string }
      const page = await open(`/calls/${callId}`)
      await page.getByText('flow.ask').first().waitFor()
      return page
    },
  },
  {
    name: 'studio',
    schemes: ['light', 'dark'],
    async show({ open, server }) {
      const page = await open(`/studio/${await draftInvestment(server)}`)
      await page.getByRole('tab', { name: /^What it does/ }).click()
      await page.getByRole('button', { name: 'Details of note', exact: true }).click()
      await page.getByText('Draft saved').waitFor()
      return page
    },
  },
  {
    name: 'studio-publish',
    schemes: ['light'],
    async show({ open, server }) {
      const name = await draftInvestment(server)
      await server.request(`/api/v1/tools/${name}/publish`, { json: {} })
      const page = await open(`/studio/${name}`)
      await page.getByRole('textbox', { name: 'Title' }).fill('Decide on an investment together')
      await page.getByText('Draft saved').waitFor()
      await page.getByRole('button', { name: 'Publish…' }).click()
      await page
        .getByRole('dialog')
        .getByText(/agents? will see it/)
        .waitFor()
      return page
    },
  },
  {
    name: 'import-api',
    schemes: ['light'],
    async show({ open }) {
      const page = await open('/apis')
      await page.getByRole('button', { name: 'Import API' }).first().click()
      const dialog = page.getByRole('dialog', { name: 'Import API' })
      await dialog.getByText('Paste', { exact: true }).click()
      await dialog.getByRole('textbox', { name: 'Document' }).fill(shopText('Read a pet'))
      await dialog.getByRole('button', { name: 'Preview' }).click()
      await dialog.getByText('4 of 5 chosen').waitFor()
      return page
    },
  },
  {
    name: 'api-change',
    schemes: ['dark'],
    async show({ open, server }) {
      const added = { name: 'pet-shop', document: shopText('Read a pet') }
      await server.request('/api/v1/apis', { method: 'POST', json: added })
      const changed = { document: shopText('Read a pet with its owner') }
      await server.request('/api/v1/apis/pet-shop/refresh', { method: 'POST', json: changed })
      const page = await open('/apis/pet-shop')
      await page.getByText('with its owner').first().waitFor()
      return page
    },
  },
  {
    name: 'sandbox',
    schemes: ['light'],
    async show({ open }) {
      const page = await open('/settings/sandbox')
      await page.getByText('Verified', { exact: true }).waitFor()
      return page
    },
  },
  {
    name: 'network',
    schemes: ['light'],
    async show({ open, server }) {
      const rule = { pack: 'shell', allow: ['api.github.com'], note: 'Releases for builds' }
      await server.request('/api/v1/network-rules/github', {
        method: 'PUT',
        body: JSON.stringify(rule),
      })
      const page = await open('/settings/network')
      await page.getByRole('textbox', { name: 'Host' }).fill('api.github.com')
      await page.getByLabel('Pack', { exact: true }).first().click()
      await page.getByRole('option', { name: 'shell' }).click()
      await page.getByRole('button', { name: 'Check' }).click()
      await page.getByRole('list', { name: 'What each level says' }).waitFor()
      return page
    },
  },
]

function shopText(summary: string): string {
  const document = petShop(summary)
  return JSON.stringify({ ...document, servers: [{ url: 'https://shop.example.com/v1' }] })
}

const totalSource = `/** What the items of an order cost, without those that are free. */
export function total(items) {
  return items
    .filter(({ isFree }) => !isFree)
    .map(({ price, count }) => price * count)
    .reduce((sum, price) => sum - price, 0)
}
`
const totalTest = `import test from 'node:test'
import assert from 'node:assert'
import { total } from './total.mjs'

test('adds the prices of all items', () => {
  const items = [{ price: 4, count: 2 }, { price: 3, count: 1 }, { price: 9, count: 1, isFree: true }]
  assert.equal(total(items), 11)
})

test('an empty order costs nothing', () => {
  assert.equal(total([]), 0)
})
`

const names = process.argv.slice(2)
const opened = await openConsole()
try {
  const scene = { ...opened, noteIds: await fill(opened), work: await repairFile(opened) }
  const wanted = pictures.filter(({ name }) => names.length === 0 || names.includes(name))
  for (const picture of wanted) await take(picture, scene)
  console.log(`The pictures are in ${folder}`)
} finally {
  await opened.close()
  // It is left open for other files of tests; here nobody else comes, and it would keep the process.
  await opened.browser.close()
}

/** Some calls, so that lists and charts have something to show. Gives the ids of two notes. */
async function fill({ server }: OpenConsole): Promise<string[]> {
  const call = async (tool: string, input: unknown) => {
    const route = `/api/v1/tools/${tool}/calls`
    const reply = await server.request(route, { method: 'POST', json: { input } })
    return ((await reply.json()) as { output: Record<string, unknown> }).output
  }
  const costs = { initialCost: 100_000, yearlyRunningCost: 10_000 }
  for (const yearlyBenefit of [50_000, 53_000, 56_000, 59_000, 62_000, 65_000, 68_000]) {
    const terms = { yearlyBenefit, discountRatePercent: 10, years: 5 }
    await call('analysis.roi', { ...costs, ...terms })
  }
  const score = { impact: 4, effort: 2, data: 4, risk: 2, urgency: 3 }
  await call('analysis.quick-score', score)
  await call('demo.add-note', { text: 'Ask the warehouse about returns' })
  await call('demo.add-note', { text: 'Renew the certificate in March' })
  const { notes } = (await call('demo.list-notes', {})) as { notes: { id: string }[] }
  return notes.slice(-2).map(({ id }) => id)
}

/** A workspace in which a failing test was repaired. */
async function repairFile({ server }: OpenConsole): Promise<Repair> {
  const turned = await server.request('/api/v1/policies/pack/shell', {
    method: 'PUT',
    body: JSON.stringify({ body: { isOn: true } }),
  })
  if (!turned.ok) throw new Error(await turned.text())
  const call = async (tool: string, input: unknown) => {
    const reply = await server.request(`/api/v1/tools/${tool}/calls`, {
      method: 'POST',
      json: { input },
    })
    const { callId, status } = (await reply.json()) as { callId: string; status: string }
    if (status !== 'completed') throw new Error(`${tool} is ${status}`)
    return callId
  }
  await call('file.write', { path: 'README.md', content: '# Shop\n' })
  await call('file.write', { path: 'src/total.mjs', content: totalSource })
  await call('file.write', { path: 'src/total.test.mjs', content: totalTest })
  const reply = await server.request('/api/v1/workspaces')
  const { items } = (await reply.json()) as { items: { id: string }[] }
  const workspace = items[0]?.id ?? ''
  await server.request(`/api/v1/workspaces/${workspace}/accept`, { method: 'POST' })
  const test = 'node --test --test-reporter=spec src'
  const failingTest = await call('shell.exec', { command: test })
  const [search, replace] = ['sum - price', 'sum + price']
  const edit = await call('file.edit', { path: 'src/total.mjs', search, replace })
  await call('shell.exec', { command: test })
  return { workspace, failingTest, edit }
}

async function take({ name, schemes, show }: Picture, scene: Scene): Promise<void> {
  const page = await show(scene)
  for (const colorScheme of schemes) {
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
    // Charts are measured once more after they were drawn, and figures come in late.
    await page.waitForTimeout(1_500)
    const file = schemes.length > 1 ? `${name}-${colorScheme}.png` : `${name}.png`
    await page.screenshot({ path: path.join(folder, file) })
  }
  await page.close()
}
