import { Select } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { api, read } from '../api/client.ts'

/** A tool, searched by name or purpose. */
export function ToolSelect({ tool, onChange }: { tool: string; onChange: (tool: string) => void }) {
  const [search, setSearch] = useState('')
  const [asked] = useDebouncedValue(search === tool ? '' : search.trim(), 150)
  const { data, isFetching } = useQuery({
    queryKey: ['tools', 'to choose', asked],
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
      // The server has already searched, including descriptions.
      filter={({ options }) => options}
      nothingFoundMessage={isFetching ? 'Searching…' : 'No tools found'}
      required
      allowDeselect={false}
    />
  )
}
