import { Select } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { api, read } from '../api/client.ts'
import { useCan } from '../api/me.ts'

interface AgentSelectProps {
  label: string
  description?: string
  /** The label of the empty choice. */
  none: string
  /** The slug of the chosen one; empty for none. */
  agent: string
  onChange: (agent: string) => void
}

/** One of the agents or none, for who may see them; where there are none, there is nothing to choose. */
export function AgentSelect({ label, description, none, agent, onChange }: AgentSelectProps) {
  const mayManage = useCan('agents.manage')
  const mayRead = useCan('policy.read')
  const { data } = useQuery({
    queryKey: ['agents', 'to choose'],
    queryFn: () => read(api.GET('/api/v1/agents', { params: { query: { limit: 100 } } })),
    enabled: mayManage || mayRead,
  })
  if (data === undefined || data.items.length === 0) return null
  return (
    <Select
      label={label}
      description={description}
      data={[
        { value: '', label: none },
        ...data.items.map(({ slug, name }) => ({ value: slug, label: `Agent ${name ?? slug}` })),
      ]}
      value={agent}
      onChange={(chosen) => onChange(chosen ?? '')}
      allowDeselect={false}
      searchable={data.items.length > 8}
    />
  )
}
