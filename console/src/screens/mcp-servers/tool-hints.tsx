import { Button, Group } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { api, read } from '../../api/client.ts'
import { useCan } from '../../api/me.ts'
import { refreshServers } from '../../api/refresh-servers.ts'
import { Notice } from '../../ui/notice.tsx'
import { notifySuccess, notifyFailure } from '../../ui/notify.ts'
import type { McpServer, McpServerSpec, McpTool } from './server-queries.ts'
import styles from './mcp-servers.module.css'

/** Says it only reads, and nobody has confirmed that. */
function isUnconfirmed({ state, effectBy, hints, hintsTrusted }: McpTool): boolean {
  return state === 'ready' && effectBy !== 'operator' && !hintsTrusted && hints.readOnly === true
}

/** Above the tools: what the server claims of them, and the button that believes all of it. */
export function UntrustedHints({
  server,
  tools,
}: {
  server: McpServer
  tools: readonly McpTool[]
}) {
  const mayChange = useMayChange(server)
  const change = useChange(server, 'The hints of its tools are trusted')
  const count = tools.filter(isUnconfirmed).length
  if (count === 0) return null
  return (
    <Notice
      isApart
      title={count === 1 ? '1 tool says it only reads' : `${count} tools say they only read`}
    >
      Nobody has confirmed that, so calls are treated as changes. Confirm it for each tool below, or
      trust everything this server says of its tools.
      {mayChange && (
        <Group mt="xs">
          <Button
            size="compact-sm"
            variant="default"
            loading={change.isPending}
            onClick={() => change.mutate({ trustHints: ['*'] })}
          >
            Trust all hints
          </Button>
        </Group>
      )}
    </Notice>
  )
}

/** In the row of one tool. */
export function ToolHint({ server, tool }: { server: McpServer; tool: McpTool }) {
  const mayChange = useMayChange(server)
  const change = useChange(server, `${tool.name} is treated as read`)
  if (!isUnconfirmed(tool)) return null
  const effects = { ...server.effects, [localName(server, tool)]: 'read' as const }
  return (
    <p className={styles.says}>
      Says it only reads{mayChange ? '. ' : ', which nobody has confirmed.'}
      {mayChange && (
        <Button
          size="compact-xs"
          variant="subtle"
          aria-label={`Treat as read: ${tool.name}`}
          loading={change.isPending}
          onClick={() => change.mutate({ effects })}
        >
          Treat as read
        </Button>
      )}
    </p>
  )
}

/** Settings name a tool by the end of its name here. */
function localName(server: McpServer, tool: McpTool): string {
  return tool.tool?.slice(`mcp:${server.name}:`.length) ?? tool.name
}

function useMayChange(server: McpServer): boolean {
  const mayManage = useCan('mcp.manage')
  const mayApprove = useCan('tools.approve')
  return mayManage && mayApprove && !server.isDeclared
}

function useChange(server: McpServer, done: string) {
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: (body: Pick<McpServerSpec, 'effects' | 'trustHints'>) =>
      read(
        api.PATCH('/api/v1/mcp-servers/{name}', { params: { path: { name: server.name } }, body }),
      ),
    onSuccess: () => notifySuccess(done),
    onError: notifyFailure,
    onSettled: () => refreshServers(queryClient),
  })
}
