import { NumberInput } from '@mantine/core'
import { typeOfSchema } from '../../model/kinds.ts'
import { numberOf } from '../../model/schema.ts'
import { stepsOf } from '../../model/number-steps.ts'
import { lazyField } from '../lazy-field.tsx'
import { NumberSteps } from './number-steps.tsx'
import { controlProps } from '../piece.ts'
import type { PieceProps } from '../piece.ts'

const NumberSlider = lazyField(async () => (await import('./number-slider.tsx')).NumberSlider)

/** A number. A number out of bounds is reported, not changed. */
export function NumberField(piece: PieceProps) {
  const { drawn, widget } = piece
  const { schema } = drawn
  const isWhole = typeOfSchema(schema) === 'integer' || schema['format'] === 'year'
  const min = numberOf(schema['minimum'])
  const max = numberOf(schema['maximum'])
  if (widget === 'slider' && min !== undefined && max !== undefined) {
    return <NumberSlider {...piece} />
  }
  const steps = findSteps(piece)
  if (steps !== undefined) return <NumberSteps piece={piece} steps={steps} />
  return <FreeNumber piece={piece} isWhole={isWhole} />
}

/** The few numbers to pick from; a value beside them is typed, or it could not be seen. */
function findSteps({ isBare, widget, drawn, value }: PieceProps): number[] | undefined {
  if (isBare === true || widget !== undefined) return undefined
  const steps = stepsOf(drawn.schema)
  const isStep = value === undefined || value === null || steps?.includes(Number(value)) === true
  return isStep ? steps : undefined
}

function FreeNumber({ piece, isWhole }: { piece: PieceProps; isWhole: boolean }) {
  const { drawn, value, set, placeholder } = piece
  const { schema } = drawn
  const min = numberOf(schema['minimum'])
  return (
    <NumberInput
      {...controlProps(piece)}
      placeholder={placeholder}
      value={typeof value === 'number' || typeof value === 'string' ? value : ''}
      onChange={(next) => set(next === '' || next === '-' ? undefined : next)}
      allowDecimal={!isWhole}
      allowNegative={min === undefined || min < 0}
      step={numberOf(schema['multipleOf']) ?? 1}
      min={min}
      max={numberOf(schema['maximum'])}
      clampBehavior="none"
      decimalScale={isWhole ? 0 : undefined}
      hideControls={piece.isBare === true || schema['format'] === 'year'}
    />
  )
}
