import { ActionIcon, Autocomplete, Button, Input, Select, TextInput } from '@mantine/core'
import { IconPlus, IconX } from '@tabler/icons-react'
import { useState } from 'react'
import type { JsonValue } from '../../../api/json.ts'
import {
  type ComparisonRow,
  hasValue,
  isSameRow,
  operators,
  readRows,
  writeRows,
} from './condition-draft.ts'
import { JsonText } from './json-text.tsx'
import styles from './spec.module.css'

interface ConditionInputProps {
  label: string
  /** The paths that can be compared. */
  paths: readonly string[]
  value: JsonValue | undefined
  onChange(value: JsonValue | undefined): void
}

/** A condition as comparisons of which all or any must hold; as JSON where it is nested. */
export function ConditionInput({ label, paths, value, onChange }: ConditionInputProps) {
  const read = readRows(value)
  if (read === undefined) {
    return (
      <JsonText
        label={label}
        description="A nested condition is edited as JSON"
        value={value}
        onChange={onChange}
      />
    )
  }
  const { join, rows } = read
  const set = (next: readonly ComparisonRow[]) => onChange(writeRows({ join, rows: next }))
  return (
    <fieldset className={styles.pairs}>
      <Input.Label component="legend">{label}</Input.Label>
      {rows.length > 1 && (
        <Select
          aria-label="How the conditions are joined"
          w={220}
          data={[
            { value: 'all', label: 'All of these hold' },
            { value: 'any', label: 'Any of these holds' },
          ]}
          value={join}
          allowDeselect={false}
          onChange={(next) => onChange(writeRows({ join: next === 'any' ? 'any' : 'all', rows }))}
        />
      )}
      {rows.map((row, index) => (
        <Comparison
          key={index}
          row={row}
          number={index + 1}
          paths={paths}
          onChange={(changed) => set(rows.with(index, changed))}
          onRemove={() => set(rows.filter((_, at) => at !== index))}
        />
      ))}
      <Button
        size="compact-sm"
        variant="subtle"
        leftSection={<IconPlus size={14} aria-hidden="true" />}
        onClick={() => set([...rows, { field: paths[0] ?? 'input', operator: 'eq', text: '' }])}
      >
        Add condition
      </Button>
    </fieldset>
  )
}

interface ComparisonProps {
  row: ComparisonRow
  number: number
  paths: readonly string[]
  onChange(row: ComparisonRow): void
  onRemove(): void
}

function Comparison({ row, number, paths, onChange, onRemove }: ComparisonProps) {
  // Typed text is kept: 1.0 must not turn into 1 on the way to 1.05.
  const [latest, setTyped] = useState(row.text)
  const typed = isSameRow({ ...row, text: latest }, row) ? latest : row.text
  return (
    <div className={styles.comparison}>
      <Autocomplete
        aria-label={`Field of condition ${number}`}
        placeholder="steps.find.output.total"
        data={[...paths]}
        value={row.field}
        onChange={(field) => onChange({ ...row, field })}
        comboboxProps={{ width: 'max-content', position: 'bottom-start' }}
      />
      <Select
        aria-label={`Operator of condition ${number}`}
        data={operators.map((one) => one)}
        value={row.operator}
        allowDeselect={false}
        onChange={(operator) => onChange({ ...row, text: typed, operator: operator ?? 'eq' })}
      />
      {hasValue(row.operator) ? (
        <TextInput
          aria-label={`Value of condition ${number}`}
          placeholder={row.operator === 'in' ? 'open, paid' : '70, true or text'}
          value={typed}
          onChange={({ currentTarget }) => {
            setTyped(currentTarget.value)
            onChange({ ...row, text: currentTarget.value })
          }}
        />
      ) : (
        <span />
      )}
      <ActionIcon aria-label={`Remove condition ${number}`} onClick={onRemove}>
        <IconX size={15} />
      </ActionIcon>
    </div>
  )
}
