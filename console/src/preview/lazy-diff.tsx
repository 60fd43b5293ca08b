import { lazy, Suspense } from 'react'
import { Loading } from '../ui/loading.tsx'

const DiffView = lazy(async () => {
  const { DiffView: view } = await import('../output/diff/diff-view.tsx')
  return { default: view }
})

/** Loaded when a preview has a diff: most have none. */
export function LazyDiff({ text, label }: { text: string; label: string }) {
  return (
    <Suspense fallback={<Loading rows={2} />}>
      <DiffView text={text} label={label} isNamed />
    </Suspense>
  )
}
