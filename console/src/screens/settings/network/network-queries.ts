import { queryOptions } from '@tanstack/react-query'
import { api, read } from '../../../api/client.ts'
import type { NamedRule } from './network-types.ts'

export const networkRulesQuery = queryOptions({
  queryKey: ['network', 'rules'],
  queryFn: () => read(api.GET('/api/v1/network-rules')),
})

/** Which hosts would be allowed or denied after a change of the rules. Nothing is saved. */
export function networkPreviewQuery(rules: readonly NamedRule[]) {
  return queryOptions({
    queryKey: ['network', 'preview', rules],
    queryFn: () => read(api.POST('/api/v1/network-rules/preview', { body: { rules: [...rules] } })),
    gcTime: 0,
  })
}

/** Creates or replaces a rule; with a version, only if it still has that. */
export function saveNetworkRule({ id, ...spec }: NamedRule, version: number | undefined) {
  return read(
    api.PUT('/api/v1/network-rules/{id}', {
      params: { path: { id } },
      body: { ...spec, ...(version !== undefined && { version }) },
    }),
  )
}

export function deleteNetworkRule(id: string) {
  return read(api.DELETE('/api/v1/network-rules/{id}', { params: { path: { id } } }))
}

export interface HostQuestion {
  host: string
  port: number
  agent?: string
  pack?: string
}

export function explainHostQuery(query: HostQuestion) {
  return queryOptions({
    queryKey: ['network', 'explain', query],
    queryFn: () => read(api.GET('/api/v1/network-rules/explain', { params: { query } })),
    gcTime: 0,
  })
}
