import type { Drawn } from '../model/drawn.ts'
import type { Kind } from '../model/kinds.ts'
import type { Maybe } from '../model/pointer.ts'
import type { Schema } from '../model/schema.ts'

/** The place of a field. */
export interface FieldProps {
  schema: Schema
  /** JSON pointer into the input. */
  pointer: string
  /** The same place in the form of the definition: `tasks[].name`. */
  path: string
  /** Used where neither the schema nor the definition names it. */
  label: string
  value: Maybe
  isRequired: boolean
  depth: number
  /** The label is for screen readers only: a cell of a table, an item of a list. */
  isBare?: boolean
  /** A list item, which is not marked as required. */
  isItem?: boolean
}

/** The props of a control. */
export interface PieceProps extends FieldProps {
  kind: Kind
  drawn: Drawn
  id: string
  help: string | undefined
  placeholder: string | undefined
  widget: string | undefined
  error: string | undefined
  isDisabled: boolean
  /** Undefined empties it. */
  set(value: Maybe): void
}

/** For controls that are buttons, which cannot have `aria-required`. */
export function buttonProps(piece: PieceProps) {
  const { 'aria-required': _, ...props } = controlProps(piece)
  return props
}

/** The props that all Mantine controls share: label, help, error and id. */
export function controlProps(piece: PieceProps) {
  const { id, label, help, error, isRequired, isBare = false, isDisabled } = piece
  const isAsked = isRequired && !piece.drawn.isNullable
  return {
    id,
    label: isBare ? undefined : label,
    'aria-label': isBare ? label : undefined,
    description: isBare ? undefined : help,
    error,
    disabled: isDisabled,
    withAsterisk: isAsked,
    'aria-required': isAsked || undefined,
    labelProps: { dir: 'auto' as const },
    descriptionProps: { dir: 'auto' as const },
  }
}
