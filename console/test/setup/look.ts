import { mkdir } from 'node:fs/promises'
import { createRequire } from 'node:module'
import path from 'node:path'
import type { Page } from 'playwright-core'
import { expect } from 'vitest'

const axePath = createRequire(import.meta.url).resolve('axe-core/axe.min.js')

/** `npm run screenshots` names a folder; then every state that a test looks at is written there. */
const folder = process.env['TOOLCRIB_SCREENSHOTS']

const views = [
  { scheme: 'light', width: 1360 },
  { scheme: 'dark', width: 1360 },
  { scheme: 'light', width: 1024 },
  { scheme: 'light', width: 390 },
  { scheme: 'dark', width: 390 },
] as const

/**
 * Looks at a state of a screen as a person would: in light and dark, wide and narrow. No violation of
 * accessibility, nothing wider than the window, and a picture of each where one is asked for.
 */
export async function look(page: Page, name: string): Promise<void> {
  const before = page.viewportSize() ?? { width: 1360, height: 850 }
  for (const { scheme, width } of views) {
    await page.emulateMedia({ colorScheme: scheme, reducedMotion: 'reduce' })
    await page.setViewportSize({ width, height: width === 390 ? 844 : 850 })
    await page.waitForTimeout(100)
    const place = `${name}, ${scheme}, ${width} px`
    const overflow = await page.evaluate(
      () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
    )
    expect(overflow, `${place}: wider than the window`).toBeLessThanOrEqual(0)
    if (width !== 1024) expect(await violations(page), place).toEqual([])
    if (folder !== undefined) await picture(page, `${name}-${scheme}-${width}`)
  }
  await page.emulateMedia({ colorScheme: 'light', reducedMotion: 'reduce' })
  await page.setViewportSize(before)
}

async function picture(page: Page, name: string): Promise<void> {
  await mkdir(folder ?? '', { recursive: true })
  await page.screenshot({ path: path.join(folder ?? '', `${name}.png`) })
}

interface AxeResult {
  violations: { id: string; nodes: { html: string; failureSummary?: string }[] }[]
}

/** What axe has against the page as it is now: the rule, and the first places. */
export async function violations(page: Page): Promise<string[]> {
  const isThere = await page.evaluate(() => 'axe' in window)
  if (!isThere) await page.evaluate(await readAxe())
  const result = await page.evaluate(() =>
    (window as unknown as { axe: { run(): Promise<AxeResult> } }).axe.run(),
  )
  return result.violations.map(
    ({ id, nodes }) =>
      `${id}: ${nodes
        .slice(0, 3)
        .map(({ html, failureSummary }) => `${html.slice(0, 200)} (${failureSummary ?? ''})`)
        .join(' | ')}`,
  )
}

/** Evaluated, not added as a script: the page's policy allows no scripts but its own. */
async function readAxe(): Promise<string> {
  const { readFile } = await import('node:fs/promises')
  return `${await readFile(axePath, 'utf8')};undefined`
}
