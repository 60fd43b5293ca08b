import { Slider } from '@mantine/core'
import { numberOf } from '../../model/schema.ts'
import { Labelled } from '../labelled.tsx'
import type { PieceProps } from '../piece.ts'

/** A number between two bounds, by the hand. */
export function NumberSlider(piece: PieceProps) {
  const { value, set, isDisabled, label, id, drawn } = piece
  const { schema } = drawn
  const min = numberOf(schema['minimum']) ?? 0
  const max = numberOf(schema['maximum']) ?? min
  return (
    <Labelled piece={piece}>
      <Slider
        min={min}
        max={max}
        step={numberOf(schema['multipleOf']) ?? 1}
        id={id}
        thumbLabel={label}
        disabled={isDisabled}
        value={typeof value === 'number' ? value : min}
        onChange={set}
        marks={[
          { value: min, label: String(min) },
          { value: max, label: String(max) },
        ]}
        mb={20}
      />
    </Labelled>
  )
}
