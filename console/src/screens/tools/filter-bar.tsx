import { SegmentedControl, Select, TextInput } from '@mantine/core'
import { useDebouncedCallback } from '@mantine/hooks'
import { IconSearch } from '@tabler/icons-react'
import { useState } from 'react'
import type { Api } from '../../api/client.ts'
import type { ToolSearch } from './tool-filters.ts'
import styles from './tools.module.css'

interface FilterBarProps {
  search: ToolSearch
  packs: Api<'ToolCounts'>['packs']
  onChange: (change: ToolSearch) => void
  /** Announced to screen readers when it changes. */
  shown: string
}

const effects = [
  { value: '', label: 'All' },
  { value: 'read', label: 'Read' },
  { value: 'write', label: 'Write' },
  { value: 'destructive', label: 'Destructive' },
]
const sources = [
  { value: 'code', label: 'Files' },
  { value: 'gateway', label: 'MCP servers' },
  { value: 'api', label: 'APIs' },
  { value: 'agent', label: 'Agents' },
  { value: 'builtin', label: 'Built in' },
]
const states = [
  { value: 'ready', label: 'Ready' },
  { value: 'misconfigured', label: 'Needs something' },
  { value: 'quarantined', label: 'Quarantined' },
]

/** The filters of the library. They live in the address. */
export function FilterBar({ search, packs, onChange, shown }: FilterBarProps) {
  return (
    <search className={styles.filters}>
      <SearchField q={search.q ?? ''} onChange={onChange} />
      <Select
        aria-label="Pack"
        placeholder="Any pack"
        className={styles.select}
        data={packs.map(({ name, tools }) => ({ value: name, label: `${name} (${tools})` }))}
        value={search.pack ?? null}
        onChange={(pack) => onChange({ pack: pack ?? '' })}
        searchable={packs.length > 8}
        clearable
      />
      <SegmentedControl
        aria-label="Effect"
        size="xs"
        data={effects}
        value={search.effect ?? ''}
        onChange={(effect) => onChange({ effect })}
      />
      <Select
        aria-label="Source"
        placeholder="Any source"
        className={styles.select}
        data={sources}
        value={search.source ?? null}
        onChange={(source) => onChange({ source: source ?? '' })}
        clearable
      />
      <Select
        aria-label="State"
        placeholder="Any state"
        className={styles.select}
        data={states}
        value={search.state ?? null}
        onChange={(state) => onChange({ state: state ?? '' })}
        clearable
      />
      <output className={styles.shown} aria-live="polite">
        {shown}
      </output>
    </search>
  )
}

const typingMs = 150

interface SearchFieldProps {
  q: string
  onChange: (change: ToolSearch) => void
}

function SearchField({ q, onChange }: SearchFieldProps) {
  // The address is authoritative, except while typing.
  const [typed, setTyped] = useState<string>()
  const send = useDebouncedCallback((text: string) => {
    onChange({ q: text.trim() })
    setTyped((now) => (now === text && text === text.trim() ? undefined : now))
  }, typingMs)
  return (
    <TextInput
      type="search"
      aria-label="Search tools"
      placeholder="Search by name or purpose"
      className={styles.search}
      leftSection={<IconSearch size={15} stroke={1.6} />}
      value={typed ?? q}
      onChange={({ currentTarget: { value } }) => {
        setTyped(value)
        send(value)
      }}
      onBlur={() => {
        send.flush()
        setTyped(undefined)
      }}
    />
  )
}
