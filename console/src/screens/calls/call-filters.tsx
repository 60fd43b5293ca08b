import { SegmentedControl } from '@mantine/core'
import { api, read } from '../../api/client.ts'
import { callStatuses } from '../../api/enums.ts'
import type { CallFilter } from './call-filter.ts'
import { FilterBar, timeFilters } from './filter-bar.tsx'
import type { FilterChoice, FilterKind } from './filter-bar.tsx'

/** Agents by name, if you may list them. */
export async function listAgents(): Promise<FilterChoice[]> {
  const { items } = await read(api.GET('/api/v1/agents', { params: { query: { limit: 200 } } }))
  return items.map(({ slug, name }) => ({ value: slug, label: name ?? slug }))
}

/** Tools that match the typed text. */
export async function listTools(text: string): Promise<FilterChoice[]> {
  const query = { limit: 30, ...(text !== '' && { q: text }) }
  const { items } = await read(api.GET('/api/v1/tools', { params: { query } }))
  return items.map(({ name }) => ({ value: name, label: name }))
}

/** Members and keys, as far as you may list them. */
export async function listPrincipals(): Promise<FilterChoice[]> {
  const query = { limit: 200 }
  const [members, keys] = await Promise.all([
    read(api.GET('/api/v1/members', { params: { query } })).catch(() => ({ items: [] })),
    read(api.GET('/api/v1/keys', { params: { query } })).catch(() => ({ items: [] })),
  ])
  return [
    ...members.items.map(({ id, name, email }) => ({ value: id, label: name ?? email ?? id })),
    ...keys.items.map(({ id, name }) => ({ value: id, label: `key ${name ?? id}` })),
  ]
}

const kinds: readonly FilterKind[] = [
  { name: 'tool', label: 'Tool', load: listTools, placeholder: 'Tool name' },
  {
    name: 'status',
    label: 'Status',
    choices: callStatuses.map((value) => ({ value, label: toTitle(value) })),
  },
  { name: 'agent', label: 'Agent', load: listAgents, placeholder: 'Agent' },
  { name: 'principal', label: 'Caller', load: listPrincipals, placeholder: 'Member, key or id' },
  { name: 'session', label: 'Session', placeholder: 'Session id' },
  ...timeFilters,
]

interface CallFiltersProps {
  filter: CallFilter
  onChange: (filter: CallFilter) => void
}

/** The filters of the call list. */
export function CallFilters({ filter, onChange }: CallFiltersProps) {
  const quick = ['failed', 'running', 'waiting'].includes(filter.status ?? 'all')
  return (
    <FilterBar
      kinds={kinds}
      values={{ ...filter }}
      onChange={(name, value) => onChange({ ...filter, [name]: value })}
      onClear={() => onChange({})}
      before={
        <SegmentedControl
          size="xs"
          aria-label="Status"
          value={filter.status === undefined ? 'all' : quick ? filter.status : 'other'}
          onChange={(value) => onChange({ ...filter, status: value === 'all' ? undefined : value })}
          data={[
            { value: 'all', label: 'All' },
            { value: 'running', label: 'Running' },
            { value: 'waiting', label: 'Waiting' },
            { value: 'failed', label: 'Failed' },
          ]}
        />
      }
    />
  )
}

function toTitle(word: string): string {
  return word.slice(0, 1).toUpperCase() + word.slice(1)
}
