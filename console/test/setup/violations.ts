import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import type { Page } from 'playwright-core'

/**
 * `all` there are; `colours` alone, where only they differ from a view before; `narrow`: what depends on
 * the width, and all there are on what only shows there.
 */
export type Rules = 'all' | 'colours' | 'narrow'

const axePath = createRequire(import.meta.url).resolve('axe-core/axe.min.js')

/** The bar at the side and the one above, which are around every screen. */
const frame = '#root > * > nav, #root > header'

/** Frames that axe has found nothing against: the same one is not looked at again. */
const soundFrames = new Set<string>()

/** The axe violations of the current page: the rule, and the first places. */
export async function violations(page: Page, rules: Rules = 'all'): Promise<string[]> {
  const { hasAxe, html } = await page.evaluate(readPage, frame)
  if (!hasAxe) await page.evaluate(await readAxe())
  const key = `${rules} ${html}`
  const skipped = soundFrames.has(key) ? frame : ''
  const found = await page.evaluate(runAxe, { rules, skipped })
  if (found.length === 0) soundFrames.add(key)
  return found
}

function readPage(around: string): { hasAxe: boolean; html: string } {
  const parts = [...document.querySelectorAll(around)]
  return { hasAxe: 'axe' in window, html: parts.map(({ outerHTML }) => outerHTML).join('') }
}

interface AxeResult {
  violations: { id: string; nodes: { html: string; failureSummary?: string }[] }[]
}

interface AxeWindow {
  axe: { run(context: object, options: object): Promise<AxeResult> }
  /** The state of the screen when it was checked. */
  lookedAt?: WeakSet<Element>
}

interface AxeRun {
  rules: Rules
  /** A selector of what is not looked at. */
  skipped: string
}

/** In the page, which knows nothing from out here but what it is given. */
async function runAxe({ rules, skipped }: AxeRun): Promise<string[]> {
  const own = window as unknown as AxeWindow
  // No rule that runs asks about the style sheets; reading them is a tenth of the work.
  const all = { resultTypes: ['violations'], preload: { assets: ['media'] } }
  const only = (...runOnly: string[]) => ({ ...all, runOnly })
  const exclude = skipped === '' ? [] : [...document.querySelectorAll(skipped)]
  const whole = { include: [document.documentElement], exclude }
  const shown = [...document.body.querySelectorAll('*')].filter((element) =>
    element.checkVisibility({ visibilityProperty: true }),
  )
  const results: AxeResult[] = []
  if (rules === 'all') {
    own.lookedAt = new WeakSet(shown)
    results.push(await own.axe.run(whole, all))
  } else if (rules === 'colours') {
    results.push(await own.axe.run(whole, only('color-contrast', 'link-in-text-block')))
  } else {
    results.push(await own.axe.run(whole, only('scrollable-region-focusable')))
    const unseen = new Set<Element | null>(
      shown.filter(
        (element) => !own.lookedAt?.has(element) && !exclude.some((one) => one.contains(element)),
      ),
    )
    const include = [...unseen].filter((element) => !unseen.has(element?.parentElement ?? null))
    if (include.length > 0) results.push(await own.axe.run({ include }, all))
  }
  return results.flatMap((result) =>
    result.violations.map(
      ({ id, nodes }) =>
        `${id}: ${nodes
          .slice(0, 3)
          .map(({ html, failureSummary }) => `${html.slice(0, 200)} (${failureSummary ?? ''})`)
          .join(' | ')}`,
    ),
  )
}

let axe: Promise<string> | undefined

/** Evaluated, not added as a script: the page's policy allows no scripts but its own. */
function readAxe(): Promise<string> {
  axe ??= readFile(axePath, 'utf8').then((text) => `${text};undefined`)
  return axe
}
