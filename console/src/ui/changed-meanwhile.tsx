import { Button } from '@mantine/core'
import { Notice } from './notice.tsx'

/** What is edited was changed by somebody else: what was typed stays until they say so. */
export function ChangedMeanwhile({ onStartOver }: { onStartOver: () => void }) {
  return (
    <Notice tone="ask" title="It was changed meanwhile">
      <Button variant="default" size="xs" onClick={onStartOver}>
        Start over from what it is now
      </Button>
    </Notice>
  )
}
