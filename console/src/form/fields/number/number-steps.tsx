import { SegmentedControl } from '@mantine/core'
import { groupProps, Labelled } from '../labelled.tsx'
import type { PieceProps } from '../piece.ts'

/** One of a few whole numbers, side by side: a scale is read and picked at a glance. */
export function NumberSteps({ piece, steps }: { piece: PieceProps; steps: readonly number[] }) {
  const { id, value, set, isRequired, drawn, isDisabled } = piece
  const mayBeEmpty = (!isRequired || drawn.isNullable) && drawn.schema['default'] === undefined
  const data = steps.map((step) => ({ value: String(step), label: String(step) }))
  return (
    <Labelled piece={piece}>
      <div>
        <SegmentedControl
          {...groupProps(piece)}
          id={id}
          disabled={isDisabled}
          value={typeof value === 'number' ? String(value) : ''}
          onChange={(next) => set(next === '' ? undefined : Number(next))}
          data={mayBeEmpty ? [{ value: '', label: 'Not set' }, ...data] : data}
        />
      </div>
    </Labelled>
  )
}
