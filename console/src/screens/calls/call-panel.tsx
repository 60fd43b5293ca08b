import { Suspense } from 'react'
import { lazyPart } from '../../ui/lazy-part.tsx'
import { Loading } from '../../ui/loading.tsx'
import { SidePanel } from '../../ui/dialog/side-panel.tsx'
import { usePreload } from '../../ui/use-preload.ts'

// The list itself needs none of this code.
const PanelCall = lazyPart(async () => (await import('./panel-call.tsx')).PanelCall)

interface CallPanelProps {
  callId: string | undefined
  onClose: () => void
}

/** The selected call in a panel beside the list. */
export function CallPanel({ callId, onClose }: CallPanelProps) {
  usePreload(PanelCall.load)
  return (
    <SidePanel title="Call" isOpen={callId !== undefined} onClose={onClose}>
      {callId !== undefined && (
        <Suspense fallback={<Loading />}>
          <PanelCall key={callId} callId={callId} />
        </Suspense>
      )}
    </SidePanel>
  )
}
