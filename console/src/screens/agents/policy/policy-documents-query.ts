import { queryOptions } from '@tanstack/react-query'
import { api, read } from '../../../api/client.ts'
import type { DocumentKind } from './policy-document.ts'

/** The tenant's policy documents of one kind. */
export const policyDocumentsQuery = (kind: DocumentKind) =>
  queryOptions({
    queryKey: ['policies', kind],
    queryFn: () => read(api.GET('/api/v1/policies/{kind}', { params: { path: { kind } } })),
    select: ({ items }) => items,
  })
