import { Input } from '@mantine/core'
import type { ReactNode } from 'react'
import { controlProps } from './piece.ts'
import type { PieceProps } from './piece.ts'

/** A label, the help and what is wrong around a control that does not draw them itself. */
export function Labelled({ piece, children }: { piece: PieceProps; children: ReactNode }) {
  const { id, label, description, error, withAsterisk } = controlProps(piece)
  return (
    <Input.Wrapper
      id={`${id}-wrap`}
      label={label}
      description={description}
      error={error}
      withAsterisk={withAsterisk}
      labelElement="div"
      labelProps={{ id: `${id}-label`, dir: 'auto' }}
      descriptionProps={{ id: `${id}-help`, dir: 'auto' }}
      errorProps={{ id: `${id}-error` }}
    >
      {children}
    </Input.Wrapper>
  )
}

/** Names and describes a group of controls that is wrapped in Labelled. */
export function groupProps(piece: PieceProps) {
  const { id, label, help, error, isBare = false, isRequired, drawn } = piece
  const described = [
    help !== undefined && !isBare && `${id}-help`,
    error !== undefined && `${id}-error`,
  ]
  return {
    'aria-label': isBare ? label : undefined,
    'aria-labelledby': isBare ? undefined : `${id}-label`,
    'aria-describedby': described.filter(Boolean).join(' ') || undefined,
    'aria-invalid': error !== undefined || undefined,
    'aria-required': (isRequired && !drawn.isNullable) || undefined,
  }
}
