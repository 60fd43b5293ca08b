import { Suspense } from 'react'
import { lazyPart } from '../../ui/lazy-part.tsx'
import { useFirstSteps } from './first-steps-store.ts'

const FirstStepsCard = lazyPart(async () => (await import('./first-steps-card.tsx')).FirstStepsCard)

/** The first steps at the bottom of the sidebar, until they are dismissed. */
export function FirstStepsPlace({ onNavigate }: { onNavigate: () => void }) {
  const { state } = useFirstSteps()
  if (state !== 'open') return null
  return (
    <Suspense fallback={null}>
      <FirstStepsCard onNavigate={onNavigate} />
    </Suspense>
  )
}
