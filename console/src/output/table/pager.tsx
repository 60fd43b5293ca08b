import { ActionIcon } from '@mantine/core'
import { IconChevronLeft, IconChevronRight } from '@tabler/icons-react'
import { count } from '../values/labels.ts'
import { formatNumber } from '../../ui/format/locale.ts'
import styles from './data-table.module.css'

interface PagerProps {
  noun: string
  page: number
  size: number
  total: number
  onChange: (page: number) => void
}

/** Which part of a long list is shown, and the way to the others. */
export function Pager({ noun, page, size, total, onChange }: PagerProps) {
  const last = Math.max(0, Math.ceil(total / size) - 1)
  if (last === 0) return <span>{count(total, noun)}</span>
  const from = page * size + 1
  const to = Math.min(total, (page + 1) * size)
  return (
    <span className={styles.pager}>
      <output>
        {`${noun === 'row' ? 'Rows' : 'Columns'} ${formatNumber(from)} to ${formatNumber(to)} of ${formatNumber(total)}`}
      </output>
      <ActionIcon
        size={28}
        aria-label={`Previous ${noun}s`}
        disabled={page === 0}
        onClick={() => onChange(page - 1)}
      >
        <IconChevronLeft size={16} stroke={1.6} />
      </ActionIcon>
      <ActionIcon
        size={28}
        aria-label={`Next ${noun}s`}
        disabled={page === last}
        onClick={() => onChange(page + 1)}
      >
        <IconChevronRight size={16} stroke={1.6} />
      </ActionIcon>
    </span>
  )
}
