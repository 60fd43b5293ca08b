import { lazyField } from './lazy-field.tsx'
import type { PieceProps } from './piece.ts'
import { TextField } from './text-field.tsx'

const DatePicker = lazyField(async () => (await import('./date-picker.tsx')).DatePicker)

/** A date, a time or both. A value that is not a date is shown as text, so that it can be corrected. */
export function DateField(piece: PieceProps) {
  const { value } = piece
  if (typeof value === 'string' && value !== '' && !isReadable(piece.kind, value)) {
    return <TextField {...piece} kind="text" />
  }
  return <DatePicker {...piece} />
}

const shapes = {
  date: /^\d{4}-\d\d-\d\d$/,
  time: /^\d\d:\d\d(?::\d\d(?:\.\d+)?)?(?:Z|[+-]\d\d:\d\d)?$/i,
}

function isReadable(kind: PieceProps['kind'], value: string): boolean {
  if (kind === 'date') return shapes.date.test(value)
  if (kind === 'time') return shapes.time.test(value)
  return !Number.isNaN(Date.parse(value))
}
