import { Suspense } from 'react'
import { lazyPart } from '../../ui/lazy-part.tsx'
import { useFirstSteps } from './first-steps-store.ts'

const FirstStepsCard = lazyPart(async () => (await import('./first-steps-card.tsx')).FirstStepsCard)

/** At the foot of the sidebar, for as long as somebody wants it. */
export function FirstStepsPlace({ onNavigate }: { onNavigate: () => void }) {
  const { state } = useFirstSteps()
  if (state !== 'open') return null
  return (
    <Suspense fallback={null}>
      <FirstStepsCard onNavigate={onNavigate} />
    </Suspense>
  )
}
