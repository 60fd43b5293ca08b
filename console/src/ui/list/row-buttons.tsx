import { ActionIcon } from '@mantine/core'
import { IconArrowDown, IconArrowUp, IconTrash } from '@tabler/icons-react'

interface RowButtonsProps {
  /** The content of the row. */
  name: string
  index: number
  count: number
  /** The list may not become empty. */
  keepsLast?: boolean
  onMove(by: -1 | 1): void
  onRemove(): void
}

/** The buttons that move a row of a list up and down, and remove it. */
export function RowButtons(props: RowButtonsProps) {
  const { name, index, count, keepsLast = false, onMove, onRemove } = props
  return (
    <span>
      <ActionIcon aria-label={`Move ${name} up`} disabled={index === 0} onClick={() => onMove(-1)}>
        <IconArrowUp size={15} />
      </ActionIcon>
      <ActionIcon
        aria-label={`Move ${name} down`}
        disabled={index === count - 1}
        onClick={() => onMove(1)}
      >
        <IconArrowDown size={15} />
      </ActionIcon>
      <ActionIcon
        aria-label={`Remove ${name}`}
        disabled={keepsLast && count === 1}
        onClick={onRemove}
      >
        <IconTrash size={15} />
      </ActionIcon>
    </span>
  )
}
