import { TagsInput } from '@mantine/core'
import type { TagsInputProps } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { api, read } from '../../../api/client.ts'
import { wordsQuery } from './agent-queries.ts'

type PatternsInputProps = Omit<TagsInputProps, 'data' | 'searchValue' | 'onSearchChange'>

/** Tool names and patterns: `file.read`, `file.*`, `group:fs`, `pack:web`, `*`. */
export function PatternsInput(props: PatternsInputProps) {
  const [search, setSearch] = useState('')
  const [asked] = useDebouncedValue(search.trim(), 150)
  const { data: words } = useQuery(wordsQuery)
  const { data: tools } = useQuery({
    queryKey: ['tools', 'named', asked],
    queryFn: () =>
      read(
        api.GET('/api/v1/tools', {
          params: { query: { limit: 20, ...(asked !== '' && { q: asked }) } },
        }),
      ),
    placeholderData: (before) => before,
    enabled: props.disabled !== true && props.readOnly !== true,
  })
  const suggestions = [
    ...(tools?.items ?? []).map(({ name }) => name),
    ...(words?.groups ?? []).map(({ name }) => `group:${name}`),
    ...(words?.packs ?? []).map(({ name }) => `pack:${name}`),
  ]
  return (
    <TagsInput
      {...props}
      // Only while something is typed: a list that is always open lies over what comes next.
      data={search.trim() === '' ? [] : [...new Set(suggestions)]}
      searchValue={search}
      onSearchChange={setSearch}
      splitChars={[',', ' ']}
      acceptValueOnBlur
      maxDropdownHeight={220}
    />
  )
}
