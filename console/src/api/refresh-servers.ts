import type { QueryClient } from '@tanstack/react-query'

/** After something was done to a server: its state, its tools, and what agents see of them. */
export async function refreshServers(queryClient: QueryClient): Promise<void> {
  await Promise.all(
    ['mcp-servers', 'tools', 'explain'].map((kind) =>
      queryClient.invalidateQueries({ queryKey: [kind] }),
    ),
  )
}
