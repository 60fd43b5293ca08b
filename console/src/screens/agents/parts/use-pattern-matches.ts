import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { api, read } from '../../../api/client.ts'
import type { Api } from '../../../api/client.ts'

export type PatternMatch = Api<'PatternMatch'>

const mostPatterns = 200

/** The tools that each pattern matches on the server, including hidden ones. */
export function usePatternMatches(
  patterns: readonly string[],
): (pattern: string) => PatternMatch | undefined {
  const asked = [...new Set(patterns)].slice(0, mostPatterns)
  const { data } = useQuery({
    queryKey: ['tools', 'matches', asked],
    queryFn: () => read(api.POST('/api/v1/policies/matches', { body: { patterns: asked } })),
    enabled: asked.length > 0,
    placeholderData: keepPreviousData,
    retry: false,
  })
  return (pattern) => data?.items.find((match) => match.pattern === pattern)
}

/** `matches 3 tools`, `matches no tool`, or why the pattern is invalid. */
export function describeMatch({ count, problem }: PatternMatch): string {
  if (problem !== undefined) return problem
  if (count === 0) return 'matches no tool'
  return count === 1 ? 'matches 1 tool' : `matches ${count} tools`
}
