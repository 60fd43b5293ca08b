import { lazy, Suspense } from 'react'
import type { ComponentProps } from 'react'
import { Loading } from '../../ui/loading.tsx'

const Deciding = lazy(() =>
  import('./deciding.tsx').then((module) => ({ default: module.Deciding })),
)

/** Deciding brings the whole form with it: loaded with the first request that waits. */
export function LateDeciding(props: ComponentProps<typeof Deciding>) {
  return (
    <Suspense fallback={<Loading rows={3} />}>
      <Deciding {...props} />
    </Suspense>
  )
}
