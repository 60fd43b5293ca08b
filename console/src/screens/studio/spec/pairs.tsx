import { useState } from 'react'
import type { JsonValue } from '../../../api/json.ts'
import { type Pair, PairRows } from '../../../ui/pairs/pair-rows.tsx'
import type { Draft } from './spec-draft.ts'

interface PairsProps {
  label: string
  /** One of them, such as "header". */
  noun: string
  description?: string
  value: JsonValue | undefined
  onChange(value: Draft | undefined): void
}

/** Names with texts, such as headers. Kept as rows here, because a name may be half typed. */
export function Pairs({ label, noun, description, value, onChange }: PairsProps) {
  const [rows, setRows] = useState(() => toRows(value))
  const [known, setKnown] = useState(value)
  if (value !== known && JSON.stringify(value) !== JSON.stringify(toValue(rows))) {
    setKnown(value)
    setRows(toRows(value))
  }
  const change = (next: readonly Pair[]) => {
    setRows(next)
    // An empty row changes nothing yet.
    if (JSON.stringify(toValue(next)) !== JSON.stringify(toValue(rows))) onChange(toValue(next))
  }
  return (
    <PairRows
      label={label}
      one={noun}
      description={description}
      placeholder="Value or {{input.name}}"
      pairs={rows}
      onChange={change}
    />
  )
}

function toRows(value: JsonValue | undefined): readonly Pair[] {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return []
  return Object.entries(value).map(([name, text]) => ({
    name,
    value: typeof text === 'string' ? text : JSON.stringify(text),
  }))
}

function toValue(rows: readonly Pair[]): Draft | undefined {
  const named = rows.filter(({ name }) => name !== '')
  if (named.length === 0) return undefined
  return Object.fromEntries(named.map(({ name, value }) => [name, value]))
}
