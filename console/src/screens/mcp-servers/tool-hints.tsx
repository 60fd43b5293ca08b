import { Button, Group } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { api, read } from '../../api/client.ts'
import { useCan } from '../../api/me.ts'
import { refreshServers } from '../../api/refresh-servers.ts'
import { Notice } from '../../ui/notice.tsx'
import { notifySuccess, notifyFailure } from '../../ui/notify.ts'
import type { McpServer, McpServerSpec, McpTool } from './server-queries.ts'
import styles from './mcp-servers.module.css'

/** The tool claims to be read-only, and nobody has confirmed that. */
function isUnconfirmed({ state, effectBy, hints, hintsTrusted }: McpTool): boolean {
  return state === 'ready' && effectBy !== 'operator' && !hintsTrusted && hints.readOnly === true
}

/** Shown above the tools: what the server claims about them, and a button to trust all of it. */
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
      title={count === 1 ? '1 tool claims to be read-only' : `${count} tools claim to be read-only`}
    >
      This is not confirmed, so their calls are treated as changes. Confirm each tool below, or
      trust everything this server claims about its tools.
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

/** Shown in the row of a tool. */
export function ToolHint({ server, tool }: { server: McpServer; tool: McpTool }) {
  const mayChange = useMayChange(server)
  const change = useChange(server, `${tool.name} is treated as read-only`)
  if (!isUnconfirmed(tool)) return null
  const effects = { ...server.effects, [localName(server, tool)]: 'read' as const }
  return (
    <p className={styles.says}>
      Claims to be read-only{mayChange ? '. ' : ' (not confirmed).'}
      {mayChange && (
        <Button
          size="compact-xs"
          variant="subtle"
          aria-label={`Treat as read-only: ${tool.name}`}
          loading={change.isPending}
          onClick={() => change.mutate({ effects })}
        >
          Treat as read-only
        </Button>
      )}
    </p>
  )
}

/** Settings use the last part of a tool's name. */
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
