import { Button } from '@mantine/core'
import { Notice } from '../notice.tsx'

/** Someone else changed the edited thing: typed text stays until the person starts over. */
export function EditConflict({ onStartOver }: { onStartOver: () => void }) {
  return (
    <Notice tone="ask" title="Someone else changed this">
      <Button variant="default" size="xs" onClick={onStartOver}>
        Start over with their changes
      </Button>
    </Notice>
  )
}
