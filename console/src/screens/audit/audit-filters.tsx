import { TextInput } from '@mantine/core'
import { useDebouncedCallback } from '@mantine/hooks'
import { IconSearch } from '@tabler/icons-react'
import { useState } from 'react'
import { listAgents, listPrincipals, listTools } from '../calls/call-filters.tsx'
import { FilterBar, timeFilters } from '../calls/filter-bar.tsx'
import type { FilterKind } from '../calls/filter-bar.tsx'
import { actionGroups, outcomes } from './audit-filter.ts'
import type { AuditFilter } from './audit-filter.ts'
import { describeAction } from './audit-words.ts'

const kinds: readonly FilterKind[] = [
  {
    name: 'action',
    label: 'What',
    load: async (text) =>
      actionGroups.filter(({ label, value }) =>
        `${label} ${value}`.toLowerCase().includes(text.toLowerCase()),
      ),
    placeholder: 'A group, or a type such as secret.written',
    format: (value) =>
      actionGroups.find((one) => one.value === value)?.label ?? describeAction(value),
  },
  { name: 'actor', label: 'Who', load: listPrincipals, placeholder: 'Member, key or id' },
  { name: 'target', label: 'About', load: listTools, placeholder: 'Tool, or call id' },
  { name: 'agent', label: 'Agent', load: listAgents },
  { name: 'outcome', label: 'Outcome', choices: outcomes },
  ...timeFilters,
]

interface AuditFiltersProps {
  filter: AuditFilter
  onChange: (filter: AuditFilter) => void
}

/** The filters of the log. */
export function AuditFilters({ filter, onChange }: AuditFiltersProps) {
  return (
    <FilterBar
      kinds={kinds}
      values={{ ...filter }}
      onChange={(name, value) => onChange({ ...filter, [name]: value })}
      onClear={() => onChange({})}
      before={
        <TextSearch
          text={filter.q ?? ''}
          onSearch={(q) => onChange({ ...filter, q: q === '' ? undefined : q })}
        />
      }
    />
  )
}

/** Searches after a pause in typing. */
function TextSearch({ text, onSearch }: { text: string; onSearch: (text: string) => void }) {
  const [typed, setTyped] = useState(text)
  const [seen, setSeen] = useState(text)
  const [sent, setSent] = useState(text)
  const search = useDebouncedCallback((wanted: string) => {
    setSent(wanted)
    onSearch(wanted)
  }, 400)
  if (text !== seen) {
    setSeen(text)
    // The address changed for another reason: the Back button, or a cleared filter.
    if (text !== sent) setTyped(text)
  }
  return (
    <TextInput
      aria-label="Search events"
      placeholder="Search events"
      leftSection={<IconSearch size={15} stroke={1.6} />}
      w={240}
      value={typed}
      onChange={(event) => {
        setTyped(event.currentTarget.value)
        search(event.currentTarget.value.trim())
      }}
    />
  )
}
