import { ActionIcon, Button, Input, TextInput } from '@mantine/core'
import { IconPlus, IconX } from '@tabler/icons-react'
import { useState } from 'react'
import type { JsonValue } from '../../../api/json.ts'
import type { Draft } from './spec-draft.ts'
import styles from './spec.module.css'

interface PairsProps {
  label: string
  /** One of them, such as "header". */
  noun: string
  description?: string
  value: JsonValue | undefined
  onChange(value: Draft | undefined): void
}

type Pair = readonly [name: string, text: string]

/** Names with texts, such as headers. Kept as rows here, because a name may be half typed. */
export function Pairs({ label, noun, description, value, onChange }: PairsProps) {
  const [rows, setRows] = useState(() => toRows(value))
  const [known, setKnown] = useState(value)
  if (value !== known && JSON.stringify(value) !== JSON.stringify(toValue(rows))) {
    setKnown(value)
    setRows(toRows(value))
  }
  const set = (next: readonly Pair[]) => {
    setRows(next)
    onChange(toValue(next))
  }
  return (
    <fieldset className={styles.pairs}>
      <Input.Label component="legend">{label}</Input.Label>
      {description !== undefined && <Input.Description mb={4}>{description}</Input.Description>}
      {rows.map(([name, text], index) => (
        <div key={index} className={styles.pair}>
          <TextInput
            aria-label={`Name of ${noun} ${index + 1}`}
            placeholder="Name"
            value={name}
            onChange={({ currentTarget }) => set(rows.with(index, [currentTarget.value, text]))}
          />
          <TextInput
            aria-label={`Value of ${noun} ${index + 1}`}
            placeholder="Value or {{input.name}}"
            value={text}
            onChange={({ currentTarget }) => set(rows.with(index, [name, currentTarget.value]))}
          />
          <ActionIcon
            aria-label={`Remove ${noun} ${index + 1}`}
            onClick={() => set(rows.filter((_, at) => at !== index))}
          >
            <IconX size={15} />
          </ActionIcon>
        </div>
      ))}
      <Button
        size="compact-sm"
        variant="subtle"
        leftSection={<IconPlus size={14} aria-hidden="true" />}
        onClick={() => setRows([...rows, ['', '']])}
      >
        Add {noun}
      </Button>
    </fieldset>
  )
}

function toRows(value: JsonValue | undefined): readonly Pair[] {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return []
  return Object.entries(value).map(([name, text]) => [
    name,
    typeof text === 'string' ? text : JSON.stringify(text),
  ])
}

function toValue(rows: readonly Pair[]): Draft | undefined {
  const named = rows.filter(([name]) => name !== '')
  return named.length === 0 ? undefined : Object.fromEntries(named)
}
