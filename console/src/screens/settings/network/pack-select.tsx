import { Select } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { wordsQuery } from '../../agents/parts/agent-queries.ts'

interface PackSelectProps {
  /** Below the label. */
  description?: string
  /** Empty for all. */
  pack: string
  onChange: (pack: string) => void
}

/** One of the packs of tools, or all. */
export function PackSelect({ pack, onChange, description }: PackSelectProps) {
  const { data } = useQuery(wordsQuery)
  const packs = data?.packs.map(({ name }) => name) ?? []
  return (
    <Select
      label="Pack"
      description={description}
      data={[
        { value: '', label: 'Every pack' },
        ...[...new Set([...packs, 'code'])].map((name) => ({ value: name, label: name })),
      ]}
      value={pack}
      onChange={(chosen) => onChange(chosen ?? '')}
      allowDeselect={false}
      searchable={packs.length > 8}
    />
  )
}
