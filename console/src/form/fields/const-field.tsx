import { Switch, TextInput } from '@mantine/core'
import { formatConstant } from '../model/labels/labels.ts'
import type { JsonValue } from '../../api/json.ts'
import { controlProps } from './piece.ts'
import type { PieceProps } from './piece.ts'

/** The one value that is possible: shown where it must be there, turned on and off where it may be. */
export function ConstField(piece: PieceProps) {
  const { drawn, value, set, isRequired } = piece
  const only = ('const' in drawn.schema ? drawn.schema['const'] : null) as JsonValue
  const props = controlProps(piece)
  // An input from elsewhere may lack it.
  if (isRequired && JSON.stringify(value) === JSON.stringify(only)) {
    return <TextInput {...props} value={formatConstant(only)} readOnly variant="filled" />
  }
  const { withAsterisk: _, labelProps: __, descriptionProps: ___, ...rest } = props
  return (
    <Switch
      {...rest}
      label={piece.isBare === true ? undefined : `${piece.label}: ${formatConstant(only)}`}
      checked={JSON.stringify(value) === JSON.stringify(only)}
      onChange={(event) => set(event.currentTarget.checked ? only : undefined)}
    />
  )
}
