import { mkdir, readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import path from 'node:path'
import type { Page } from 'playwright-core'
import { expect } from 'vitest'

const axePath = createRequire(import.meta.url).resolve('axe-core/axe.min.js')

/** `npm run screenshots` names a folder; then every state that a test looks at is written there. */
const folder = process.env['TOOLCRIB_SCREENSHOTS']

interface View {
  scheme: 'light' | 'dark'
  width: number
  /** What axe looks for: colours alone where only they differ from a view before. */
  rules?: 'all' | 'colours'
}

const views: readonly View[] = [
  { scheme: 'light', width: 1360, rules: 'all' },
  { scheme: 'dark', width: 1360, rules: 'colours' },
  { scheme: 'light', width: 1024 },
  { scheme: 'light', width: 390, rules: 'all' },
  // The same colours as wide: only for the picture.
  ...(folder === undefined ? [] : [{ scheme: 'dark' as const, width: 390 }]),
]

/**
 * Looks at a state of a screen as a person would: in light and dark, wide and narrow. No violation of
 * accessibility, nothing wider than the window, and a picture of each where one is asked for.
 */
export function look(page: Page, name: string): Promise<void> {
  return lookAt(page, name, views)
}

/**
 * Looks at a state that is made of parts which other states have shown already, such as one that waits or
 * has failed: once for accessibility, and once more for what does not fit on a phone.
 */
export function glance(page: Page, name: string): Promise<void> {
  return lookAt(page, name, [
    { scheme: 'light', width: 1360, rules: 'all' },
    { scheme: 'dark', width: 390 },
  ])
}

async function lookAt(page: Page, name: string, these: readonly View[]): Promise<void> {
  const before = page.viewportSize() ?? { width: 1360, height: 850 }
  for (const { scheme, width, rules } of these) {
    await page.emulateMedia({ colorScheme: scheme, reducedMotion: 'reduce' })
    await page.setViewportSize({ width, height: width === 390 ? 844 : 850 })
    await isDrawnIn(page, scheme)
    await settled(page)
    const place = `${name}, ${scheme}, ${width} px`
    const overflow = await page.evaluate(
      () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
    )
    expect(overflow, `${place}: wider than the window`).toBeLessThanOrEqual(0)
    if (rules !== undefined) expect(await violations(page, rules), place).toEqual([])
    if (folder !== undefined) await picture(page, `${name}-${scheme}-${width}`)
  }
  await page.emulateMedia({ colorScheme: 'light', reducedMotion: 'reduce' })
  await page.setViewportSize(before)
}

/** A busy browser tells the page late that the colours are others. */
async function isDrawnIn(page: Page, scheme: string): Promise<void> {
  await page.waitForFunction(
    (wanted) => (document.documentElement.dataset['mantineColorScheme'] ?? wanted) === wanted,
    scheme,
  )
}

/** Two frames: the change of size or colours is drawn, and what answers to it too. */
async function settled(page: Page): Promise<void> {
  await page.evaluate(
    () =>
      new Promise<void>((resolve) => {
        requestAnimationFrame(() => requestAnimationFrame(() => resolve()))
      }),
  )
  await page.waitForTimeout(folder === undefined ? 20 : 200)
}

async function picture(page: Page, name: string): Promise<void> {
  await mkdir(folder ?? '', { recursive: true })
  await page.screenshot({ path: path.join(folder ?? '', `${name}.png`) })
}

interface AxeResult {
  violations: { id: string; nodes: { html: string; failureSummary?: string }[] }[]
}

interface Axe {
  run(options: object): Promise<AxeResult>
}

/** What axe has against the page as it is now: the rule, and the first places. */
export async function violations(page: Page, rules: 'all' | 'colours' = 'all'): Promise<string[]> {
  const isThere = await page.evaluate(() => 'axe' in window)
  if (!isThere) await page.evaluate(await readAxe())
  const options = {
    resultTypes: ['violations'],
    ...(rules === 'colours' && { runOnly: ['color-contrast', 'link-in-text-block'] }),
  }
  const result = await page.evaluate(
    (given) => (window as unknown as { axe: Axe }).axe.run(given),
    options,
  )
  return result.violations.map(
    ({ id, nodes }) =>
      `${id}: ${nodes
        .slice(0, 3)
        .map(({ html, failureSummary }) => `${html.slice(0, 200)} (${failureSummary ?? ''})`)
        .join(' | ')}`,
  )
}

let axe: Promise<string> | undefined

/** Evaluated, not added as a script: the page's policy allows no scripts but its own. */
function readAxe(): Promise<string> {
  axe ??= readFile(axePath, 'utf8').then((text) => `${text};undefined`)
  return axe
}
