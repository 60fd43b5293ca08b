import { Pill, TagsInput } from '@mantine/core'
import type { TagsInputProps } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { api, read } from '../../../api/client.ts'
import { wordsQuery } from './agent-queries.ts'
import { describeMatch, usePatternMatches } from './use-pattern-matches.ts'
import type { PatternMatch } from './use-pattern-matches.ts'
import styles from './parts.module.css'

type PatternsInputProps = Omit<TagsInputProps, 'data' | 'searchValue' | 'onSearchChange'>

/** Tool names and patterns: `file.read`, `file.*`, `group:fs`, `pack:web`, `*`. */
export function PatternsInput(props: PatternsInputProps) {
  const isOpen = props.disabled !== true && props.readOnly !== true
  const [search, setSearch] = useState('')
  const suggestions = useSuggestions(search.trim(), isOpen)
  const matchOf = usePatternMatches(props.value ?? [])
  return (
    <TagsInput
      {...props}
      // Only while typing: a list that is always open would cover the next field.
      data={search.trim() === '' ? [] : suggestions}
      searchValue={search}
      onSearchChange={setSearch}
      // Enter takes the highlighted suggestion: a half-typed word would match nothing.
      selectFirstOptionOnChange
      renderPill={({ option, onRemove, disabled }) => (
        <PatternPill
          pattern={String(option.value)}
          match={matchOf(String(option.value))}
          isDisabled={disabled === true}
          onRemove={onRemove}
        />
      )}
      splitChars={[',', ' ']}
      acceptValueOnBlur
      maxDropdownHeight={220}
    />
  )
}

/** Tools, groups and packs that match the typed text. */
function useSuggestions(text: string, isOpen: boolean): string[] {
  const [asked] = useDebouncedValue(text, 150)
  const { data: words } = useQuery(wordsQuery)
  // Loaded before anybody types, so that the first letter already has a suggestion.
  const { data: first } = useQuery({
    queryKey: ['tools', 'named', ''],
    queryFn: () => read(api.GET('/api/v1/tools', { params: { query: { limit: 200 } } })),
    enabled: isOpen,
    staleTime: 60_000,
  })
  const { data: found } = useQuery({
    queryKey: ['tools', 'named', asked],
    queryFn: () => read(api.GET('/api/v1/tools', { params: { query: { limit: 20, q: asked } } })),
    placeholderData: (before) => before,
    enabled: isOpen && asked !== '',
  })
  const suggestions = [
    ...[...(first?.items ?? []), ...(found?.items ?? [])].map(({ name }) => name),
    ...(words?.groups ?? []).map(({ name }) => `group:${name}`),
    ...(words?.packs ?? []).map(({ name }) => `pack:${name}`),
  ]
  return [...new Set(suggestions)]
}

interface PatternPillProps {
  pattern: string
  match: PatternMatch | undefined
  isDisabled: boolean
  onRemove: (() => void) | undefined
}

/** A pattern with the number of tools it matches, so that a typo shows before it is saved. */
function PatternPill({ pattern, match, isDisabled, onRemove }: PatternPillProps) {
  const isIdle = match !== undefined && match.count === 0
  return (
    <Pill
      className={styles.pattern}
      data-idle={isIdle || undefined}
      disabled={isDisabled}
      withRemoveButton={!isDisabled}
      {...(onRemove !== undefined && { onRemove })}
      removeButtonProps={{ 'aria-label': `Remove ${pattern}`, 'aria-hidden': false }}
      {...(match !== undefined && { title: match.tools.join(', ') })}
    >
      <code>{pattern}</code>
      {match !== undefined && <small> {describeMatch(match)}</small>}
    </Pill>
  )
}
