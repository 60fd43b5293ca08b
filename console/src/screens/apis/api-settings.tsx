import { Button, Group } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { api, read } from '../../api/client.ts'
import { useCan } from '../../api/me.ts'
import { Notice } from '../../ui/notice.tsx'
import { confirm, notifyFailure, notifySuccess } from '../../ui/notify.ts'
import { Panel } from '../../ui/page.tsx'
import { toApiChange, toDraft } from './api-draft.ts'
import { ApiForm } from './api-form.tsx'
import { refreshApis } from './api-queries.ts'
import type { ImportedApi } from './api-queries.ts'
import styles from './apis.module.css'

/** The settings of an API, and a button to remove it. */
export function ApiSettings({ imported }: { imported: ImportedApi }) {
  const { name, isDeclared, updatedAt } = imported
  const mayManage = useCan('apis.manage')
  const isReadOnly = isDeclared || !mayManage
  return (
    <div className={styles.settings}>
      {isDeclared && (
        <Notice isApart title="This API is defined in the configuration">
          Change <code>apis.{name}</code> in <code>toolcrib.config.ts</code> and restart the server.
          The settings below are read-only.
        </Notice>
      )}
      <SettingsForm key={updatedAt} imported={imported} isReadOnly={isReadOnly} />
      {!isReadOnly && <RemoveApi name={name} />}
    </div>
  )
}

function SettingsForm({ imported, isReadOnly }: { imported: ImportedApi; isReadOnly: boolean }) {
  const [draft, setDraft] = useState(() => toDraft(imported))
  const queryClient = useQueryClient()
  const change = toApiChange(imported, draft)
  const save = useMutation({
    mutationFn: () =>
      read(
        api.PATCH('/api/v1/apis/{name}', {
          params: { path: { name: imported.name } },
          body: change,
        }),
      ),
    onSuccess: async () => {
      notifySuccess('Settings saved')
      await refreshApis(queryClient)
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
        <ApiForm
          draft={draft}
          schemes={imported.document?.schemes ?? []}
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

function RemoveApi({ name }: { name: string }) {
  const queryClient = useQueryClient()
  const navigate = useNavigate()
  const remove = useMutation({
    mutationFn: () => read(api.DELETE('/api/v1/apis/{name}', { params: { path: { name } } })),
    onSuccess: async () => {
      notifySuccess(`${name} removed`)
      await navigate({ to: '/apis' })
      await refreshApis(queryClient)
    },
    onError: notifyFailure,
  })
  const ask = async () => {
    const isSure = await confirm({
      title: `Remove ${name}?`,
      message:
        'Its tools and their accepted versions are deleted. Grants for its tools are kept for a while and apply again if you add it back.',
      confirmLabel: 'Remove',
      isDangerous: true,
    })
    if (isSure) remove.mutate()
  }
  return (
    <Group justify="flex-end" mt="lg">
      <Button color="red" variant="light" loading={remove.isPending} onClick={() => void ask()}>
        Remove API
      </Button>
    </Group>
  )
}
