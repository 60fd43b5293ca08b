import '@mantine/dates/styles.css'
import { TextInput } from '@mantine/core'
import { DateInput, DateTimePicker } from '@mantine/dates'
import { textOf } from '../model/schema.ts'
import styles from '../form.module.css'
import { buttonProps, controlProps } from './piece.ts'
import type { PieceProps } from './piece.ts'

const ariaLabels = {
  nextMonth: 'Next month',
  previousMonth: 'Previous month',
  nextYear: 'Next year',
  previousYear: 'Previous year',
  nextDecade: 'Next decade',
  previousDecade: 'Previous decade',
  monthLevelControl: 'Choose the month',
  yearLevelControl: 'Choose the year',
}

/** With the calendar, which loads when the first date is drawn. */
export function DatePicker(piece: PieceProps) {
  const { kind, value, set, label } = piece
  const text = typeof value === 'string' ? value : ''
  const calendar = {
    clearable: true,
    clearButtonProps: { 'aria-label': `Clear ${label}` },
    classNames: { day: styles.day ?? '' },
    ariaLabels,
    // As a dialog it would be named by an element that is not there.
    popoverProps: { withRoles: false },
  }
  if (kind === 'time') {
    return (
      <TextInput
        {...controlProps(piece)}
        type="time"
        step={1}
        value={text.replace(/(?:\.\d+)?(?:Z|[+-]\d\d:\d\d)?$/i, '')}
        onChange={(event) => set(toTime(event.currentTarget.value, piece))}
      />
    )
  }
  if (kind === 'date') {
    return (
      <DateInput
        {...controlProps(piece)}
        {...calendar}
        value={text === '' ? null : text}
        onChange={(next) => set(next ?? undefined)}
        valueFormat="YYYY-MM-DD"
        placeholder={piece.placeholder ?? 'YYYY-MM-DD'}
      />
    )
  }
  return (
    <DateTimePicker
      {...buttonProps(piece)}
      {...calendar}
      value={text === '' ? null : new Date(text)}
      onChange={(next) =>
        set(next === null ? undefined : new Date(next.replace(' ', 'T')).toISOString())
      }
      valueFormat="YYYY-MM-DD HH:mm:ss"
      withSeconds
      placeholder={piece.placeholder ?? 'Pick date and time'}
      submitButtonProps={{ 'aria-label': 'Done' }}
    />
  )
}

/** `format: time` has a zone, unless a pattern wants none. */
function toTime(typed: string, { drawn }: PieceProps): string | undefined {
  if (typed === '') return undefined
  const full = typed.length === 5 ? `${typed}:00` : typed
  const pattern = textOf(drawn.schema['pattern'])
  const isBare = pattern !== undefined && new RegExp(pattern, 'u').test(full)
  return isBare ? full : `${full}Z`
}
