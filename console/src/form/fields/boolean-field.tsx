import { SegmentedControl, Switch } from '@mantine/core'
import { groupProps, Labelled } from './labelled.tsx'
import { controlProps } from './piece.ts'
import type { PieceProps } from './piece.ts'

/** Yes or no: a switch, unless leaving it open is a third answer. */
export function BooleanField(piece: PieceProps) {
  const { drawn, value, set, isRequired, isDisabled, widget, id } = piece
  const isOpen = (drawn.isNullable || !isRequired) && drawn.schema['default'] === undefined
  if (!isOpen || widget === 'switch' || piece.isBare === true) {
    const { withAsterisk: _, labelProps: __, descriptionProps: ___, ...props } = controlProps(piece)
    return (
      <Switch
        {...props}
        checked={value === true}
        onChange={(event) => set(event.currentTarget.checked)}
      />
    )
  }
  return (
    <Labelled piece={piece}>
      <div>
        <SegmentedControl
          {...groupProps(piece)}
          id={id}
          disabled={isDisabled}
          value={typeof value === 'boolean' ? String(value) : ''}
          onChange={(next) => set(next === '' ? undefined : next === 'true')}
          data={[
            { value: '', label: 'Not set' },
            { value: 'true', label: 'Yes' },
            { value: 'false', label: 'No' },
          ]}
        />
      </div>
    </Labelled>
  )
}
