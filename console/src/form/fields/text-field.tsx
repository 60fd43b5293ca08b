import { Textarea, TextInput } from '@mantine/core'
import { numberOf, textOf } from '../model/schema.ts'
import { controlProps } from './piece.ts'
import type { PieceProps } from './piece.ts'

const inputTypes: Record<string, 'email' | 'url'> = {
  email: 'email',
  'idn-email': 'email',
  uri: 'url',
  url: 'url',
}

/** Text of one line or of several. Empty text means no value. */
export function TextField(piece: PieceProps) {
  const { kind, drawn, value, set, placeholder } = piece
  const text = typeof value === 'string' ? value : ''
  const format = textOf(drawn.schema['format']) ?? ''
  const common = {
    ...controlProps(piece),
    placeholder,
    dir: 'auto' as const,
    value: text,
    autoComplete: 'off',
    maxLength: hardLimit(drawn.schema['maxLength']),
    onChange: (event: { currentTarget: { value: string } }) => {
      const next = event.currentTarget.value
      set(next === '' ? undefined : next)
    },
  }
  if (kind === 'long-text') return <Textarea {...common} autosize minRows={3} maxRows={16} />
  const type = Object.hasOwn(inputTypes, format) ? inputTypes[format] : 'text'
  return <TextInput {...common} type={type} spellCheck={format === ''} />
}

/** Characters are counted otherwise by browsers than by the schema: the check comes later, this only stops floods. */
function hardLimit(maxLength: unknown): number | undefined {
  const most = numberOf(maxLength)
  return most === undefined ? undefined : most * 2
}
