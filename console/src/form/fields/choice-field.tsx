import { SegmentedControl, Select } from '@mantine/core'
import type { JsonValue } from '../../api/json.ts'
import { choicesOf, formatConstant } from '../model/labels/labels.ts'
import type { Choice } from '../model/labels/labels.ts'
import { groupProps, Labelled } from './labelled.tsx'
import { controlProps } from './piece.ts'
import type { PieceProps } from './piece.ts'

const maxSegments = 4
const maxSegmentLetters = 32
export const searchableFrom = 9
/** Of thousands, the first that match; typing finds the others. */
export const maxListed = 100

/** One of a few values: side by side where they are few and short, else a list. */
export function ChoiceField(piece: PieceProps) {
  const { drawn, value, set, widget } = piece
  const choices = choicesOf(drawn.schema)
  const key = value === undefined || value === null ? null : JSON.stringify(value)
  const isStray = key !== null && !choices.some((choice) => choice.key === key)
  const pick = (next: string | null) =>
    set(next === null || next === '' ? undefined : (JSON.parse(next) as JsonValue))
  if (!isStray && isSegmented(piece, choices, widget)) {
    return <Segments piece={piece} choices={choices} choose={{ key, pick }} />
  }
  const shown = isStray ? [...choices, { key, label: formatConstant(value) }] : choices
  const mayBeEmpty = !piece.isRequired || drawn.isNullable
  return (
    <Select
      {...controlProps(piece)}
      data={shown.map(({ key, label }) => ({ value: key, label }))}
      value={key}
      onChange={pick}
      placeholder={piece.placeholder ?? 'Choose'}
      searchable={choices.length >= searchableFrom}
      limit={maxListed}
      clearable={mayBeEmpty && !piece.isDisabled}
      clearButtonProps={{ 'aria-label': `Clear ${piece.label}` }}
      allowDeselect={mayBeEmpty}
      nothingFoundMessage="Nothing matches"
      comboboxProps={{ keepMounted: false }}
    />
  )
}

function isSegmented(piece: PieceProps, choices: readonly Choice[], widget: string | undefined) {
  if (widget === 'select' || piece.isBare === true) return false
  const letters = choices.reduce((sum, { label }) => sum + label.length, 0)
  return widget === 'segmented' || (choices.length <= maxSegments && letters <= maxSegmentLetters)
}

interface Choose {
  key: string | null
  pick(key: string | null): void
}

function Segments({
  piece,
  choices,
  choose,
}: {
  piece: PieceProps
  choices: readonly Choice[]
  choose: Choose
}) {
  const { id, isRequired, drawn, isDisabled } = piece
  const isOpen = (!isRequired || drawn.isNullable) && drawn.schema['default'] === undefined
  const data = choices.map(({ key, label }) => ({ value: key, label }))
  return (
    <Labelled piece={piece}>
      <div>
        <SegmentedControl
          {...groupProps(piece)}
          id={id}
          disabled={isDisabled}
          value={choose.key ?? ''}
          onChange={choose.pick}
          data={isOpen ? [{ value: '', label: 'Not set' }, ...data] : data}
        />
      </div>
    </Labelled>
  )
}
