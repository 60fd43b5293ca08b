import type { Locator, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { copyCrib } from './setup/copied-crib.ts'
import type { CopiedCrib } from './setup/copied-crib.ts'
import { look } from './setup/look.ts'
import { hasChromium } from './setup/open-browser.ts'
import { openConsole } from './setup/open-console.ts'
import type { OpenConsole } from './setup/open-console.ts'

/** Models of one provider know no tuples: its schema has a finding, at a long path. */
const tupleTool = `import { defineTool } from 'toolcrib'
export default defineTool({
  name: 'test.tuple',
  title: 'Tuple',
  description: 'Takes two numbers in a list, deep inside of its input.',
  effect: 'destructive',
  approval: 'always',
  inputSchema: {
    type: 'object',
    properties: {
      configurationOfTheMeasurement: {
        type: 'object',
        properties: {
          coordinatesOfTheFirstMeasurement: {
            type: 'array',
            prefixItems: [{ type: 'number' }, { type: 'number' }],
          },
        },
      },
    },
  },
  execute: () => ({ ok: true }),
})
`

describe.skipIf(!hasChromium)('on a phone', () => {
  let files: CopiedCrib
  let crib: OpenConsole
  let page: Page
  beforeAll(async () => {
    files = await copyCrib()
    await files.writeTool('tuple.tool.ts', tupleTool)
    crib = await openConsole({ config: files.config, env: files.env })
    page = await crib.open('/tools')
    await page.setViewportSize({ width: 390, height: 844 })
  })
  afterAll(async () => {
    await crib.close()
    await files.remove()
  })

  const open = (address: string) => page.goto(crib.server.url + address)

  test('the problem of a schema is readable in full', async () => {
    await open('/tools/test.tuple?tab=schema')
    const findings = page.getByRole('listitem').filter({ hasText: 'is a tuple' })
    await findings.first().waitFor()
    expect(await cutOff(findings.first())).toEqual([])
    await look(page, 'tool-findings')
  })

  test('Connect fits, and of where a configuration goes only the file is set as code', async () => {
    await open('/settings/connect')
    await page.getByText('in the project folder', { exact: false }).waitFor()
    await page.getByRole('button', { name: /Create key/ }).waitFor()
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(390)
    const codes = await page.locator('code').allInnerTexts()
    expect(codes).toContain('.mcp.json')
    expect(codes.filter((code) => code.includes('folder'))).toEqual([])
  })

  test('no key of the shortcuts is broken over two lines', async () => {
    await page.keyboard.press('?')
    const help = page.getByRole('dialog', { name: 'Keyboard shortcuts' })
    await help.getByText('Ctrl Backspace').waitFor()
    const heights = await help
      .locator('kbd')
      .evaluateAll((keys) => keys.map((key) => Math.round(key.getBoundingClientRect().height)))
    expect(new Set(heights).size).toBe(1)
    await page.keyboard.press('Escape')
  })

  test('a decided request keeps its distance, and a call has no dots at the ends of lines', async () => {
    const asked = await crib.server.request('/api/v1/tools/test.tuple/calls', {
      json: { input: {} },
    })
    const { callId, approvalId } = (await asked.json()) as { callId: string; approvalId: string }
    await crib.server.request(`/api/v1/approvals/${approvalId}/decision`, {
      json: { decision: 'approve' },
    })
    await open(`/approvals?status=decided&id=${approvalId}`)
    const banner = page.getByText(/^Approved by you/)
    await banner.waitFor()
    expect(await gapBelow(banner)).toBeGreaterThanOrEqual(8)
    await look(page, 'approvals-decided-phone')
    await open(`/calls/${callId}`)
    await page.getByRole('heading', { name: 'Approval', exact: true }).waitFor()
    const head = page.getByRole('heading', { level: 1 }).locator('xpath=ancestor::div[2]')
    expect(await head.innerText()).not.toMatch(/^·|·$/m)
    expect(await drawnDots(head)).toBe(0)
  })

  test('looking for a missing tool is not a refused call', async () => {
    await open('/tools/no.such')
    await page.getByText('Tool not found').waitFor()
    const refused = await crib.server.request('/api/v1/audit?what=call.refused')
    expect(await refused.json()).toMatchObject({ items: [] })
    crib.faults.splice(0, Infinity, ...crib.faults.filter((fault) => !fault.includes('404')))
  })
})

/** The texts in there that reach beyond the window or what clips them. */
function cutOff(place: Locator): Promise<string[]> {
  return place.evaluate((root) =>
    [root, ...root.querySelectorAll('*')]
      .filter((one) => {
        const { right } = one.getBoundingClientRect()
        return right > window.innerWidth || one.scrollWidth > one.clientWidth + 1
      })
      .filter((one) => getComputedStyle(one).display !== 'inline' || one.scrollWidth > 0)
      .map((one) => one.textContent),
  )
}

/** How far the next thing is below the block that holds this text. */
function gapBelow(text: Locator): Promise<number> {
  return text.evaluate((element) => {
    let block: Element | null = element
    while (block !== null && block.nextElementSibling === null) block = block.parentElement
    const next = block?.nextElementSibling
    if (block === null || next === undefined || next === null) return Number.NaN
    return next.getBoundingClientRect().top - block.getBoundingClientRect().bottom
  })
}

/** Dots that a style sheet puts between things: they stay where a line breaks. */
function drawnDots(place: Locator): Promise<number> {
  return place.evaluate(
    (root) =>
      [...root.querySelectorAll('*')].filter((one) =>
        ['::before', '::after'].some((part) => getComputedStyle(one, part).content.includes('·')),
      ).length,
  )
}
