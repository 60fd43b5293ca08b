import { infiniteQueryOptions, keepPreviousData, queryOptions } from '@tanstack/react-query'
import { api, read } from '../../api/client.ts'
import type { Api } from '../../api/client.ts'

export type Skill = Api<'Skill'>
export type SkillDetail = Api<'SkillDetail'>

export const skillsQuery = (asked: { q?: string }) =>
  infiniteQueryOptions({
    queryKey: ['skills', 'list', asked],
    queryFn: ({ pageParam }) =>
      read(
        api.GET('/api/v1/skills', {
          params: {
            query: { ...asked, limit: 100, ...(pageParam !== '' && { after: pageParam }) },
          },
        }),
      ),
    initialPageParam: '',
    getNextPageParam: ({ next }) => next,
    placeholderData: keepPreviousData,
  })

export const skillQuery = (name: string, version: string | undefined) =>
  queryOptions({
    queryKey: ['skills', 'one', name, version],
    queryFn: () =>
      read(
        api.GET('/api/v1/skills/{name}', {
          params: { path: { name }, query: version === undefined ? {} : { version } },
        }),
      ),
    placeholderData: (before, query) =>
      query?.queryKey[2] === name ? keepPreviousData(before) : undefined,
  })
