import { QueryClient } from '@tanstack/react-query'
import { toProblem } from './problem.ts'

/**
 * The cache of server responses. The first word of a key is the kind of thing ('calls', 'approvals', …):
 * what happens on the server makes that kind stale (live/stale-kinds.ts).
 */
export const queryClient = new QueryClient({
  defaultOptions: {
    queries: {
      staleTime: 30_000,
      retry: (count, error) => toProblem(error).retryable && count < 2,
      refetchOnWindowFocus: true,
    },
  },
})
