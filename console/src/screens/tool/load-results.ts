import type { ViewSpec } from '../../output/view-types.ts'

/**
 * What draws results is large, and needed only once something is run. Of the largest parts comes what
 * the tool's own view names: its chart is drawn with its result, not after it.
 */
export async function loadResults(view: ViewSpec | undefined): Promise<void> {
  const kinds = new Set(
    view?.sections?.map(({ kind, chart }) => kind ?? (chart === undefined ? undefined : 'chart')),
  )
  await Promise.all([
    import('./run-body.tsx'),
    import('./code-tab.tsx'),
    kinds.has('chart') && import('../../output/chart-drawing.tsx'),
    kinds.has('markdown') && import('../../output/markdown-drawing.tsx'),
  ])
}
