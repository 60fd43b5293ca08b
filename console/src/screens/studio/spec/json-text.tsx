import { Input } from '@mantine/core'
import { useId, useState } from 'react'
import type { JsonValue } from '../../../api/json.ts'
import { JsonEditor } from '../../../ui/json-editor/json-editor.tsx'

interface JsonTextProps {
  label: string
  description?: string
  value: JsonValue | undefined
  /** Empty text means no value. */
  onChange(value: JsonValue | undefined): void
  minLines?: number
}

/** Any JSON. Text that does not parse stays in the editor until it does. */
export function JsonText({ label, description, value, onChange, minLines = 3 }: JsonTextProps) {
  const id = useId()
  const [text, setText] = useState(() => toText(value))
  const [known, setKnown] = useState(value)
  const [isWrong, setWrong] = useState(false)
  // Another value came from outside, such as a restored version.
  if (value !== known && JSON.stringify(value) !== JSON.stringify(known)) {
    setKnown(value)
    setText(toText(value))
    setWrong(false)
  }
  function change(typed: string): void {
    setText(typed)
    const parsed = parse(typed)
    setWrong(parsed === undefined)
    if (parsed === undefined) return
    setKnown(parsed.value)
    onChange(parsed.value)
  }
  return (
    <Input.Wrapper
      label={label}
      labelElement="div"
      description={description}
      descriptionProps={{ id }}
      error={isWrong ? 'This is not valid JSON; the last valid text counts.' : undefined}
    >
      <JsonEditor
        label={label}
        text={text}
        onChange={change}
        minLines={minLines}
        aria-describedby={description === undefined ? undefined : id}
        aria-invalid={isWrong}
      />
    </Input.Wrapper>
  )
}

function toText(value: JsonValue | undefined): string {
  return value === undefined ? '' : JSON.stringify(value, null, 2)
}

function parse(text: string): { value: JsonValue | undefined } | undefined {
  if (text.trim() === '') return { value: undefined }
  try {
    return { value: JSON.parse(text) as JsonValue }
  } catch {
    return undefined
  }
}
