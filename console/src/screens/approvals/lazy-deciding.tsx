import { Suspense } from 'react'
import type { ComponentProps } from 'react'
import { lazyPart } from '../../ui/lazy-part.tsx'
import { Loading } from '../../ui/loading.tsx'

const Deciding = lazyPart(async () => (await import('./deciding.tsx')).Deciding)

/** Loads the decision form, which is large, with the first pending request. */
export function LazyDeciding(props: ComponentProps<typeof Deciding>) {
  return (
    <Suspense fallback={<Loading rows={3} />}>
      <Deciding {...props} />
    </Suspense>
  )
}
