import { Autocomplete, Input, SegmentedControl } from '@mantine/core'
import { useId, useState } from 'react'
import type { JsonValue } from '../../../api/json.ts'
import { useTool } from '../../call/use-tool.ts'
import { JsonText } from './json-text.tsx'
import { toReference, usePaths } from './references.ts'
import { draftOf, textOf } from './spec-draft.ts'
import type { Draft } from './spec-draft.ts'
import { readFieldText, writeFieldText } from './step-values.ts'
import styles from './spec.module.css'

interface StepInputProps {
  step: Draft
  /** The ids of the other steps. */
  others: readonly string[]
  onChange(input: JsonValue | undefined): void
}

/** The input of a step: a row for each field of its tool, or JSON. */
export function StepInput({ step, others, onChange }: StepInputProps) {
  const id = useId()
  const fields = useFields(textOf(step['tool']))
  const references = usePaths(step, others).map(toReference)
  const { input } = step
  const isPlain = input === undefined || isRecord(input)
  const [mode, setMode] = useState('fields')
  const canShow = fields.length > 0 && isPlain
  if (!canShow || mode === 'json') {
    return (
      <>
        {canShow && <Mode mode={mode} onChange={setMode} />}
        <JsonText
          label="Input"
          description='JSON with references, such as { "id": "{{input.id}}" } or "{{steps.find.output.id}}"'
          value={input}
          onChange={onChange}
        />
      </>
    )
  }
  return (
    <>
      <Mode mode={mode} onChange={setMode} />
      <fieldset className={styles.pairs} aria-describedby={id}>
        <Input.Label component="legend">Input</Input.Label>
        <Input.Description id={id} mb={4}>
          Text, a value such as 12 or true, or a reference such as {toReference('input.id')}
        </Input.Description>
        <FieldRows
          fields={fields}
          input={draftOf(input)}
          references={references}
          onChange={onChange}
        />
      </fieldset>
    </>
  )
}

function Mode({ mode, onChange }: { mode: string; onChange(mode: string): void }) {
  return (
    <SegmentedControl
      aria-label="Edit the input as"
      size="xs"
      style={{ justifySelf: 'start' }}
      data={[
        { value: 'fields', label: 'Fields' },
        { value: 'json', label: 'JSON' },
      ]}
      value={mode}
      onChange={onChange}
    />
  )
}

interface Field {
  name: string
  label: string
  description: string
  isRequired: boolean
  type: JsonValue | undefined
}

interface FieldRowsProps {
  fields: readonly Field[]
  input: Draft
  references: readonly string[]
  onChange(input: JsonValue): void
}

function FieldRows({ fields, input, references, onChange }: FieldRowsProps) {
  return fields.map(({ name, label, description, isRequired, type }) => (
    <Autocomplete
      key={name}
      w="100%"
      label={label}
      {...(description !== '' && { description })}
      required={isRequired}
      data={[...references]}
      value={readFieldText(input[name])}
      onChange={(text) => {
        const { [name]: _before, ...rest } = input
        const value = writeFieldText(text, type)
        onChange(value === undefined ? rest : { ...input, [name]: value })
      }}
      comboboxProps={{ width: 'max-content', position: 'bottom-start' }}
    />
  ))
}

/** The fields of a tool’s input, in its order. */
function useFields(tool: string): readonly Field[] {
  const schema = draftOf(useTool(tool)?.inputSchema as JsonValue | undefined)
  const required = Array.isArray(schema['required']) ? schema['required'] : []
  return Object.entries(draftOf(schema['properties'])).map(([name, given]) => {
    const { title, description, type, default: standard } = draftOf(given)
    return {
      name,
      label: textOf(title) || name,
      description: textOf(description),
      isRequired: required.includes(name) && standard === undefined,
      type,
    }
  })
}

function isRecord(value: JsonValue): value is Draft {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
