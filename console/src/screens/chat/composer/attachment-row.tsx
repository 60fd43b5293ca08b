import { CloseButton } from '@mantine/core'
import { IconFile } from '@tabler/icons-react'
import { formatBytes } from './attachments.ts'
import type { Attachment } from './attachments.ts'
import styles from './composer.module.css'

interface AttachmentRowProps {
  attachments: readonly Attachment[]
  onRemove: (id: string) => void
}

/** The files attached to the next message. */
export function AttachmentRow({ attachments, onRemove }: AttachmentRowProps) {
  if (attachments.length === 0) return null
  return (
    <ul className={styles.files} aria-label="Attached files">
      {attachments.map(({ id, name, size, preview }) => (
        <li key={id}>
          {preview === undefined ? (
            <IconFile size={18} stroke={1.6} aria-hidden="true" />
          ) : (
            <img src={preview} alt="" width="32" height="32" />
          )}
          <span dir="auto">{name}</span>
          <small>{formatBytes(size)}</small>
          <CloseButton size="xs" aria-label={`Remove ${name}`} onClick={() => onRemove(id)} />
        </li>
      ))}
    </ul>
  )
}
