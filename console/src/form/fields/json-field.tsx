import { useEffect, useState } from 'react'
import type { JsonValue } from '../../api/json.ts'
import { JsonEditor } from '../../ui/json-editor/json-editor.tsx'
import { useForm } from '../form-context.ts'
import type { Maybe } from '../model/pointer.ts'
import { groupProps, Labelled } from './labelled.tsx'
import type { PieceProps } from './piece.ts'

/** A piece that a form has no better way for: JSON, for this piece only. */
export function JsonField(piece: PieceProps) {
  const { value, set, isDisabled, drawn, label, pointer } = piece
  const { store } = useForm()
  useEffect(() => () => store.noteText(pointer, undefined), [store, pointer])
  const [problem, setProblem] = useState<string>()
  const [shown, setShown] = useState({ value, text: toText(value) })
  // Filled in from elsewhere: the text follows. The typed text is the current value.
  if (!isSame(shown.value, value)) {
    setShown({ value, text: toText(value) })
    setProblem(undefined)
  }
  const change = (text: string) => {
    const read = readJson(text)
    setProblem(read.problem)
    store.noteText(pointer, read.problem)
    if (read.problem !== undefined) return
    setShown({ value: read.value, text })
    set(read.value)
  }
  const hint = drawn.lost === undefined ? undefined : `${drawn.lost} is not in the schema.`
  const described = { ...piece, help: piece.help ?? hint, error: problem ?? piece.error }
  return (
    <Labelled piece={described}>
      <JsonEditor
        {...groupProps(described)}
        id={piece.id}
        label={label}
        text={shown.text}
        onChange={change}
        isDisabled={isDisabled}
        minLines={3}
      />
    </Labelled>
  )
}

/** Null stands for nothing here, as an empty editor does. */
function isSame(before: Maybe, after: Maybe): boolean {
  return before === after || (before ?? null) === (after ?? null)
}

function toText(value: Maybe): string {
  return value === undefined || value === null ? '' : JSON.stringify(value, null, 2)
}

/** Empty text means no value; anything else must be JSON. */
export function readJson(text: string): { value: Maybe; problem: string | undefined } {
  if (text.trim() === '') return { value: undefined, problem: undefined }
  try {
    return { value: JSON.parse(text) as JsonValue, problem: undefined }
  } catch (error) {
    const reason = error instanceof Error ? error.message : 'it can’t be read'
    return { value: undefined, problem: `This is not JSON yet: ${reason}` }
  }
}
