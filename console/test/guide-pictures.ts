import path from 'node:path'
import type { Page } from 'playwright-core'
import { type OpenConsole, openConsole } from './setup/open-console.ts'

// npm run screenshots -- --guide: the pictures that README and guide show, of the example crib in use.

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
]

const opened = await openConsole()
try {
  const scene = { ...opened, noteIds: await fill(opened) }
  for (const picture of pictures) await take(picture, scene)
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
