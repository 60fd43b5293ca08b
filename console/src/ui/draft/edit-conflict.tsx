import { Button } from '@mantine/core'
import { Notice } from '../notice.tsx'

/** What is edited was changed by somebody else: what was typed stays until they say so. */
export function EditConflict({ onStartOver }: { onStartOver: () => void }) {
  return (
    <Notice tone="ask" title="Someone else changed this meanwhile">
      <Button variant="default" size="xs" onClick={onStartOver}>
        Start over with their changes
      </Button>
    </Notice>
  )
}
