import { MultiSelect } from '@mantine/core'
import type { JsonValue } from '../../api/json.ts'
import { useForm } from '../form-context.ts'
import { schemaOfItem } from '../model/concrete.ts'
import { drawnAt, noPicks } from '../model/drawn.ts'
import { choicesOf } from '../model/labels/labels.ts'
import { maxListed, searchableFrom } from './choice-field.tsx'
import { controlProps } from './piece.ts'
import type { PieceProps } from './piece.ts'

/** Several of a few values. */
export function ChoicesField(piece: PieceProps) {
  const { store } = useForm()
  const { drawn, value, set } = piece
  const place = { value: undefined, pointer: '', picks: noPicks }
  const item = drawnAt(store.model, schemaOfItem(drawn.schema, 0), place)
  const choices = choicesOf(item.schema)
  const held = Array.isArray(value) ? value.map((entry) => JSON.stringify(entry)) : []
  const known = new Set(choices.map(({ key }) => key))
  const strays = held.filter((key) => !known.has(key)).map((key) => ({ key, label: key }))
  const isOptional = !piece.isRequired
  return (
    <MultiSelect
      {...controlProps(piece)}
      data={[...choices, ...strays].map(({ key, label }) => ({ value: key, label }))}
      value={[...new Set(held)]}
      onChange={(keys) =>
        set(
          keys.length === 0 && isOptional
            ? undefined
            : keys.map((key) => JSON.parse(key) as JsonValue),
        )
      }
      placeholder={held.length === 0 ? (piece.placeholder ?? 'Choose') : undefined}
      searchable={choices.length >= searchableFrom}
      limit={maxListed}
      clearable
      clearButtonProps={{ 'aria-label': `Clear ${piece.label}` }}
      nothingFoundMessage="Nothing matches"
      comboboxProps={{ keepMounted: false }}
    />
  )
}
