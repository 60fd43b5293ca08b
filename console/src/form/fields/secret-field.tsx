import { PasswordInput } from '@mantine/core'
import { controlProps } from './piece.ts'
import type { PieceProps } from './piece.ts'

/** A secret: typed once, never shown again, kept nowhere. */
export function SecretField(piece: PieceProps) {
  const { value, set, placeholder } = piece
  return (
    <PasswordInput
      {...controlProps(piece)}
      placeholder={placeholder}
      autoComplete="new-password"
      spellCheck={false}
      value={typeof value === 'string' ? value : ''}
      onChange={(event) =>
        set(event.currentTarget.value === '' ? undefined : event.currentTarget.value)
      }
      visibilityToggleButtonProps={{ 'aria-label': `Show ${piece.label}` }}
    />
  )
}
