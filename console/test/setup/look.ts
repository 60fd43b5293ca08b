import { mkdir } from 'node:fs/promises'
import path from 'node:path'
import type { Page } from 'playwright-core'
import { expect } from 'vitest'
import { isLongRun } from '../../../test/setup/run-length.ts'
import { violations } from './violations.ts'
import type { Rules } from './violations.ts'

/** `npm run screenshots` names a folder; then every state that a test looks at is written there. */
const folder = process.env['TOOLCRIB_SCREENSHOTS']

/**
 * The long run and the pictures look at every size in both colours. For every change the rules are
 * checked once, and otherwise only whether it fits on a phone: checking rules is most of the work.
 */
export const isThorough = folder !== undefined || isLongRun

interface View {
  scheme: 'light' | 'dark'
  width: number
  /** The axe rules to check; none where only the width counts. */
  rules?: readonly Rules[]
}

// Every change of colours or size renders the page again, so both are changed at once where possible.
const views: readonly View[] = [
  { scheme: 'light', width: 1360, rules: ['all'] },
  { scheme: 'dark', width: 390 },
]

const thoroughViews: readonly View[] = [
  { scheme: 'light', width: 1360, rules: ['all'] },
  { scheme: 'dark', width: 1360, rules: ['colours'] },
  { scheme: 'dark', width: 1024, rules: ['colours'] },
  { scheme: 'light', width: 1024 },
  { scheme: 'light', width: 390, rules: ['narrow'] },
  { scheme: 'dark', width: 390 },
]

/**
 * Looks at a state of a screen as a person would: in light and dark, wide and narrow. No violation of
 * accessibility, nothing wider than the window, and a picture of each where one is asked for.
 */
export function look(page: Page, name: string): Promise<void> {
  return lookAt(page, name, isThorough ? thoroughViews : views)
}

/**
 * Looks at a state that is made of parts which other states have shown already, such as one that waits or
 * has failed: for accessibility, and for what does not fit on a phone.
 */
export function glance(page: Page, name: string): Promise<void> {
  const narrow = { scheme: 'light', width: 390, rules: ['all'] } as const
  if (!isThorough) return lookAt(page, name, [narrow])
  return lookAt(page, name, [
    { scheme: 'light', width: 1360, rules: ['all'] },
    { ...narrow, scheme: folder === undefined ? 'light' : 'dark' },
  ])
}

async function lookAt(page: Page, name: string, these: readonly View[]): Promise<void> {
  const before = page.viewportSize() ?? { width: 1360, height: 850 }
  for (const { scheme, width, rules = [] } of these) {
    await draw(page, scheme, { width, height: width === 390 ? 844 : 850 })
    const place = `${name}, ${scheme}, ${width} px`
    expect(await settled(page, scheme), place).toEqual({ scheme, widerThanWindow: 0 })
    for (const rule of rules) expect(await violations(page, rule), place).toEqual([])
    if (folder !== undefined) await picture(page, `${name}-${scheme}-${width}`)
  }
  await draw(page, 'light', before)
}

async function draw(
  page: Page,
  colorScheme: View['scheme'],
  size: { width: number; height: number },
): Promise<void> {
  await Promise.all([
    page.emulateMedia({ colorScheme, reducedMotion: 'reduce' }),
    page.setViewportSize(size),
  ])
}

/**
 * Waits until the page knows its colour scheme, which a busy browser reports late, and for two more frames,
 * so that the change and its effects are drawn. One question and one answer, for each costs three
 * processes.
 */
function settled(page: Page, scheme: string): Promise<{ scheme: string; widerThanWindow: number }> {
  return page.evaluate(
    async ({ wanted, restMs }) => {
      const root = document.documentElement
      // A tab that is not drawn, for whatever reason, has no frames.
      const nextFrame = () =>
        new Promise<unknown>((resolve) => {
          requestAnimationFrame(resolve)
          setTimeout(resolve, 1000)
        })
      const heard = () => root.dataset['mantineColorScheme'] ?? wanted
      const until = performance.now() + 60_000
      while (heard() !== wanted && performance.now() < until) await nextFrame()
      await nextFrame()
      await nextFrame()
      await new Promise((resolve) => setTimeout(resolve, restMs))
      return {
        scheme: heard(),
        widerThanWindow: Math.max(0, root.scrollWidth - root.clientWidth),
      }
    },
    { wanted: scheme, restMs: folder === undefined ? 20 : 200 },
  )
}

async function picture(page: Page, name: string): Promise<void> {
  await mkdir(folder ?? '', { recursive: true })
  await page.screenshot({ path: path.join(folder ?? '', `${name}.png`) })
}
