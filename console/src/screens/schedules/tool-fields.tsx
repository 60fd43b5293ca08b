import { Select } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { api, read } from '../../api/client.ts'
import { useCan } from '../../api/me.ts'

/** Any tool, found by name or purpose. */
export function ToolField({ tool, onChange }: { tool: string; onChange: (tool: string) => void }) {
  const [search, setSearch] = useState('')
  const [asked] = useDebouncedValue(search === tool ? '' : search.trim(), 150)
  const { data, isFetching } = useQuery({
    queryKey: ['tools', 'for schedules', asked],
    queryFn: () =>
      read(
        api.GET('/api/v1/tools', {
          params: { query: { limit: 50, ...(asked !== '' && { q: asked }) } },
        }),
      ),
    placeholderData: keepPreviousData,
  })
  const found = (data?.items ?? []).map(({ name, title }) => ({
    value: name,
    label: title === name ? name : `${title} (${name})`,
  }))
  const isListed = tool === '' || found.some(({ value }) => value === tool)
  return (
    <Select
      label="Tool"
      placeholder="Search by name or purpose"
      data={isListed ? found : [{ value: tool, label: tool }, ...found]}
      value={tool === '' ? null : tool}
      onChange={(chosen) => onChange(chosen ?? '')}
      searchable
      onSearchChange={setSearch}
      // The server has searched already, in descriptions too.
      filter={({ options }) => options}
      nothingFoundMessage={isFetching ? 'Searching…' : 'No tool fits'}
      required
      allowDeselect={false}
    />
  )
}

/** As which agent it is called, for who may see them. */
export function AgentField({
  agent,
  onChange,
}: {
  agent: string
  onChange: (agent: string) => void
}) {
  const mayManage = useCan('agents.manage')
  const mayRead = useCan('policy.read')
  const { data } = useQuery({
    queryKey: ['agents', 'for schedules'],
    queryFn: () => read(api.GET('/api/v1/agents', { params: { query: { limit: 100 } } })),
    enabled: mayManage || mayRead,
  })
  if (data === undefined || data.items.length === 0) return null
  return (
    <Select
      label="As"
      description="An agent's policy and approvals count; otherwise yours do."
      data={[
        { value: '', label: 'Yourself' },
        ...data.items.map(({ slug, name }) => ({ value: slug, label: `Agent ${name ?? slug}` })),
      ]}
      value={agent}
      onChange={(chosen) => onChange(chosen ?? '')}
      allowDeselect={false}
    />
  )
}
