import { ChartDrawing } from '../../output/lazy-drawings.ts'
import { MarkdownDrawing } from '../../output/text/lazy-markdown.ts'
import type { ViewSpec } from '../../output/values/view-types.ts'
import { lazyPart } from '../../ui/lazy-part.tsx'

export const RunBody = lazyPart(async () => (await import('./run-body.tsx')).RunBody)
export const OtherWays = lazyPart(async () => (await import('./code/code-tab.tsx')).OtherWays)

/**
 * The result view is large and needed only after a run. Of its largest parts, the ones named by the
 * tool's own view are preloaded: its chart is drawn together with its result.
 */
export async function loadResults(view: ViewSpec | undefined): Promise<void> {
  const kinds = new Set(
    view?.sections?.map(({ kind, chart }) => kind ?? (chart === undefined ? undefined : 'chart')),
  )
  await Promise.all([
    RunBody.load(),
    OtherWays.load(),
    kinds.has('chart') && ChartDrawing.load(),
    kinds.has('markdown') && MarkdownDrawing.load(),
  ])
}
