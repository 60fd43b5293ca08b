import { NumberInput } from '@mantine/core'
import { typeOfSchema } from '../model/kinds.ts'
import { numberOf } from '../model/schema.ts'
import { lateField } from './late-field.tsx'
import { controlProps } from './piece.ts'
import type { PieceProps } from './piece.ts'

const NumberSlider = lateField(async () => (await import('./number-slider.tsx')).NumberSlider)

/** A number. What is out of bounds is said, not changed under one's hands. */
export function NumberField(piece: PieceProps) {
  const { drawn, value, set, placeholder, widget } = piece
  const { schema } = drawn
  const isWhole = typeOfSchema(schema) === 'integer' || schema['format'] === 'year'
  const min = numberOf(schema['minimum'])
  const max = numberOf(schema['maximum'])
  const step = numberOf(schema['multipleOf']) ?? 1
  if (widget === 'slider' && min !== undefined && max !== undefined) {
    return <NumberSlider {...piece} />
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
