import { queryOptions } from '@tanstack/react-query'
import { api, read } from '../../../api/client.ts'
import type { Api } from '../../../api/client.ts'

export type SandboxState = Api<'SandboxState'>

/** The sandbox of the server that answers. */
export const sandboxQuery = queryOptions({
  queryKey: ['sandbox'],
  queryFn: () => read(api.GET('/api/v1/sandbox')),
  staleTime: 60_000,
})
