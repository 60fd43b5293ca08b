import { NumberInput, Slider } from '@mantine/core'
import { typeOfSchema } from '../model/kinds.ts'
import { numberOf } from '../model/schema.ts'
import { Labelled } from './labelled.tsx'
import { controlProps } from './piece.ts'
import type { PieceProps } from './piece.ts'

/** A number. What is out of bounds is said, not changed under one's hands. */
export function NumberField(piece: PieceProps) {
  const { drawn, value, set, placeholder, widget } = piece
  const { schema } = drawn
  const isWhole = typeOfSchema(schema) === 'integer' || schema['format'] === 'year'
  const min = numberOf(schema['minimum'])
  const max = numberOf(schema['maximum'])
  const step = numberOf(schema['multipleOf']) ?? 1
  if (widget === 'slider' && min !== undefined && max !== undefined) {
    return <NumberSlider piece={piece} bounds={{ min, max, step }} />
  }
  return (
    <NumberInput
      {...controlProps(piece)}
      placeholder={placeholder}
      value={typeof value === 'number' || typeof value === 'string' ? value : ''}
      onChange={(next) => set(next === '' || next === '-' ? undefined : next)}
      allowDecimal={!isWhole}
      allowNegative={min === undefined || min < 0}
      step={step}
      min={min}
      max={max}
      clampBehavior="none"
      decimalScale={isWhole ? 0 : undefined}
      hideControls={piece.isBare === true || schema['format'] === 'year'}
    />
  )
}

interface Bounds {
  min: number
  max: number
  step: number
}

function NumberSlider({ piece, bounds }: { piece: PieceProps; bounds: Bounds }) {
  const { value, set, isDisabled, label, id } = piece
  return (
    <Labelled piece={piece}>
      <Slider
        {...bounds}
        id={id}
        thumbLabel={label}
        disabled={isDisabled}
        value={typeof value === 'number' ? value : bounds.min}
        onChange={set}
        marks={[
          { value: bounds.min, label: String(bounds.min) },
          { value: bounds.max, label: String(bounds.max) },
        ]}
        mb={20}
      />
    </Labelled>
  )
}
