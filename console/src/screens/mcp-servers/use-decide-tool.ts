import { useMutation, useQueryClient } from '@tanstack/react-query'
import { api, read } from '../../api/client.ts'
import { refreshServers } from '../../api/refresh-servers.ts'
import { notifySuccess, notifyFailure } from '../../ui/notify.ts'
import type { McpTool } from './server-queries.ts'

/** Accepts or rejects the shown version of a tool. */
export function useDecide(server: string, tool: McpTool) {
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: (verb: 'accept' | 'reject') => decideOn(server, tool, verb),
    onSuccess: (_tool, verb) => {
      const rejected = tool.state === 'ready' ? 'quarantined' : 'rejected'
      notifySuccess(`${tool.name} ${verb === 'accept' ? 'accepted' : rejected}`)
    },
    onError: notifyFailure,
    onSettled: () => refreshServers(queryClient),
  })
}

/** Identifies the version that is shown. */
function decideOn(server: string, tool: McpTool, verb: 'accept' | 'reject') {
  const init = {
    params: { path: { name: server, tool: tool.name } },
    body: { hash: tool.hash ?? '' },
  }
  return read(
    verb === 'accept'
      ? api.POST('/api/v1/mcp-servers/{name}/tools/{tool}/accept', init)
      : api.POST('/api/v1/mcp-servers/{name}/tools/{tool}/reject', init),
  )
}
