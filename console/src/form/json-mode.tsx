import { useState } from 'react'
import { JsonEditor } from '../ui/json-editor/json-editor.tsx'
import { readJson } from './fields/json-field.tsx'
import { useForm, useFormState } from './form-context.ts'

/** The whole input as JSON. The text is kept as typed; the parsed value is sent. */
export function JsonMode() {
  const { store, isDisabled } = useForm()
  const filled = useFormState(store, (state) => state.filled)
  return <WholeEditor key={filled} isDisabled={isDisabled} />
}

function WholeEditor({ isDisabled }: { isDisabled: boolean }) {
  const { store } = useForm()
  const [text] = useState(() => JSON.stringify(store.state().value, null, 2))
  const hasIssues = useFormState(store, ({ issues }) => issues.length > 0)
  return (
    <JsonEditor
      id={`${store.id}-json`}
      label="Input as JSON"
      text={text}
      isDisabled={isDisabled}
      minLines={10}
      aria-invalid={hasIssues || undefined}
      onChange={(typed) => {
        const { value, problem } = readJson(typed)
        store.setText(problem === undefined ? (value ?? {}) : undefined, problem)
      }}
    />
  )
}
