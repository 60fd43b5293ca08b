import { Button, Group } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { api, read } from '../../api/client.ts'
import { refreshServers } from '../../api/refresh-servers.ts'
import { useCan } from '../../api/me.ts'
import { Notice } from '../../ui/notice.tsx'
import { Panel } from '../../ui/page.tsx'
import { confirm, notifySuccess, notifyFailure } from '../../ui/notify.ts'
import { toDraft, toServerChange } from './server-draft.ts'
import { ServerForm } from './server-form.tsx'

import type { McpServer } from './server-queries.ts'
import styles from './mcp-servers.module.css'

/** The settings of a server, and a button to remove it. */
export function ServerSettings({ server }: { server: McpServer }) {
  const mayManage = useCan('mcp.manage')
  const isReadOnly = server.isDeclared || !mayManage
  return (
    <div className={styles.settings}>
      {server.isDeclared && (
        <Notice isApart title="This server is defined in the configuration">
          Change <code>mcpServers.{server.name}</code> in <code>toolcrib.config.ts</code> and
          restart the server. The settings below are read-only.
        </Notice>
      )}
      <SettingsForm key={server.updatedAt} server={server} isReadOnly={isReadOnly} />
      {!isReadOnly && <RemoveServer name={server.name} />}
    </div>
  )
}

function SettingsForm({ server, isReadOnly }: { server: McpServer; isReadOnly: boolean }) {
  const [draft, setDraft] = useState(() => toDraft(server))
  const queryClient = useQueryClient()
  const change = toServerChange(server, draft)
  const save = useMutation({
    mutationFn: () =>
      read(
        api.PATCH('/api/v1/mcp-servers/{name}', {
          params: { path: { name: server.name } },
          body: change,
        }),
      ),
    onSuccess: async () => {
      notifySuccess('Settings saved')
      await refreshServers(queryClient)
    },
    onError: notifyFailure,
  })
  return (
    <Panel title="Settings">
      <form
        onSubmit={(event) => {
          event.preventDefault()
          save.mutate()
        }}
      >
        <ServerForm
          draft={draft}
          isReadOnly={isReadOnly}
          set={(more) => setDraft((before) => ({ ...before, ...more }))}
        />
        {!isReadOnly && (
          <Group justify="flex-end" mt="md">
            <Button
              type="submit"
              loading={save.isPending}
              disabled={Object.keys(change).length === 0}
            >
              Save
            </Button>
          </Group>
        )}
      </form>
    </Panel>
  )
}

function RemoveServer({ name }: { name: string }) {
  const queryClient = useQueryClient()
  const navigate = useNavigate()
  const remove = useMutation({
    mutationFn: () =>
      read(api.DELETE('/api/v1/mcp-servers/{name}', { params: { path: { name } } })),
    onSuccess: async () => {
      notifySuccess(`${name} removed`)
      await navigate({ to: '/mcp-servers' })
      await refreshServers(queryClient)
    },
    onError: notifyFailure,
  })
  const ask = async () => {
    const isSure = await confirm({
      title: `Remove ${name}?`,
      message:
        'Its tools, their accepted versions and all sign-ins are deleted. Grants for its tools are kept for a while and apply again if you add it back.',
      confirmLabel: 'Remove',
      isDangerous: true,
    })
    if (isSure) remove.mutate()
  }
  return (
    <Group justify="flex-end" mt="lg">
      <Button color="red" variant="light" loading={remove.isPending} onClick={() => void ask()}>
        Remove server
      </Button>
    </Group>
  )
}
