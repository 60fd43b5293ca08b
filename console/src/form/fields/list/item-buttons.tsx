import { ActionIcon } from '@mantine/core'
import { IconArrowDown, IconArrowUp, IconTrash } from '@tabler/icons-react'
import styles from '../../form.module.css'
import type { ListActions } from './use-list.ts'

interface ItemButtonsProps {
  list: ListActions
  index: number
  count: number
  noun: string
}

/** Moves and removes an item with buttons, for people who can't drag. */
export function ItemButtons({ list, index, count, noun }: ItemButtonsProps) {
  if (list.isDisabled) return null
  return (
    <span className={styles.itemButtons}>
      {count > 1 && (
        <>
          <ActionIcon
            id={list.buttonId(index, 'up')}
            size={28}
            disabled={index === 0}
            aria-label={`Move ${noun} up`}
            onClick={() => list.move(index, -1)}
          >
            <IconArrowUp size={16} stroke={1.6} />
          </ActionIcon>
          <ActionIcon
            id={list.buttonId(index, 'down')}
            size={28}
            disabled={index === count - 1}
            aria-label={`Move ${noun} down`}
            onClick={() => list.move(index, 1)}
          >
            <IconArrowDown size={16} stroke={1.6} />
          </ActionIcon>
        </>
      )}
      <ActionIcon
        id={list.buttonId(index, 'remove')}
        size={28}
        aria-label={`Remove ${noun}`}
        onClick={() => list.remove(index)}
      >
        <IconTrash size={16} stroke={1.6} />
      </ActionIcon>
    </span>
  )
}
