import { Drawer } from '@mantine/core'
import { lazy, Suspense } from 'react'
import { Loading } from '../../ui/states.tsx'
import { usePreload } from '../../ui/use-preload.ts'

// The list needs nothing of what shows one call.
const loadCall = () => import('./panel-call.tsx')
const PanelCall = lazy(async () => ({ default: (await loadCall()).PanelCall }))

interface CallPanelProps {
  callId: string | undefined
  onClose: () => void
}

/** A call beside the list it was chosen from. */
export function CallPanel({ callId, onClose }: CallPanelProps) {
  usePreload(loadCall)
  return (
    <Drawer
      opened={callId !== undefined}
      onClose={onClose}
      position="right"
      size={560}
      title="Call"
      closeButtonProps={{ 'aria-label': 'Close' }}
      overlayProps={{ backgroundOpacity: 0.15 }}
    >
      {callId !== undefined && (
        <Suspense fallback={<Loading />}>
          <PanelCall key={callId} callId={callId} />
        </Suspense>
      )}
    </Drawer>
  )
}
