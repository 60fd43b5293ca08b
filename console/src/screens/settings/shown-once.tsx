import { Button, Group, Modal, Stack } from '@mantine/core'
import type { ReactNode } from 'react'
import { Caution } from '../../ui/dialog/caution.tsx'
import { CopyButton } from '../../ui/copy.tsx'
import styles from './settings.module.css'

interface ShownOnceProps {
  title: string
  /** The kind of text, such as "key", for the button. */
  what: string
  text: string
  children?: ReactNode
  onClose: () => void
}

/** Shows a key or a link for the only time. */
export function ShownOnce({ title, what, text, children, onClose }: ShownOnceProps) {
  return (
    <Modal opened onClose={onClose} title={title} size="lg" closeOnClickOutside={false}>
      <Stack>
        <Caution tone="ask" title={`This ${what} is shown once`}>
          Copy it now. You won’t see it again.
        </Caution>
        <div className={styles.once}>
          <code>{text}</code>
          <CopyButton text={text} label={`Copy ${what}`} />
        </div>
        {children}
        <Group justify="flex-end">
          <Button onClick={onClose}>Done</Button>
        </Group>
      </Stack>
    </Modal>
  )
}
