import { Button, Menu } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { IconDots } from '@tabler/icons-react'
import { api, read } from '../../api/client.ts'
import { confirm, notifyFailure, notifySuccess } from '../../ui/notify.ts'
import { refreshStudio, usersOf } from './studio-queries.ts'
import type { ToolSource } from './studio-queries.ts'

/** The rarer actions: disable, delete the draft, remove. */
export function MoreActions({ source, hasDraft }: { source: ToolSource; hasDraft: boolean }) {
  const { version, isEnabled } = source
  const { dropDraft, remove, enable } = useActions(source)
  return (
    <Menu position="bottom-end" shadow="md" width={200}>
      <Menu.Target>
        <Button variant="default" aria-label="More actions" px={8}>
          <IconDots size={16} aria-hidden="true" />
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        {version !== undefined && (
          <Menu.Item onClick={() => void enable()}>{isEnabled ? 'Disable' : 'Enable'}</Menu.Item>
        )}
        <Menu.Item disabled={!hasDraft} onClick={() => void dropDraft()}>
          Delete draft
        </Menu.Item>
        {version !== undefined && (
          <Menu.Item color="red" onClick={() => void remove()}>
            Remove
          </Menu.Item>
        )}
      </Menu.Dropdown>
    </Menu>
  )
}

function useActions(source: ToolSource) {
  const { name, version, isEnabled, usedBy } = source
  const queryClient = useQueryClient()
  const navigate = useNavigate()
  const users = usersOf(usedBy)
  const used = users.length === 0 ? '' : ` Used by ${users.join(', ')}.`
  const act = async (work: () => Promise<unknown>, message: string) => {
    try {
      await work()
      notifySuccess(message)
      await refreshStudio(queryClient)
    } catch (error) {
      notifyFailure(error)
    }
  }
  const params = { params: { path: { name } } }
  async function dropDraft(): Promise<void> {
    const isSure = await confirm({
      title: 'Delete your draft?',
      message:
        version === undefined ? `${name} was never published.` : 'The published version stays.',
      confirmLabel: 'Delete draft',
      isDangerous: true,
    })
    if (!isSure) return
    await act(() => read(api.DELETE('/api/v1/tools/{name}/draft', params)), 'Draft deleted')
    await navigate({ to: '/studio' })
  }
  async function remove(): Promise<void> {
    const isSure = await confirm({
      title: `Remove ${name}?`,
      message: `Nobody can call it any more. Its versions are kept.${used}`,
      confirmLabel: 'Remove',
      isDangerous: true,
    })
    if (!isSure) return
    await act(() => read(api.DELETE('/api/v1/tools/{name}', params)), `${name} removed`)
    await navigate({ to: '/studio' })
  }
  async function enable(): Promise<void> {
    const isSure =
      !isEnabled ||
      (await confirm({
        title: `Disable ${name}?`,
        message: `Nobody can call it until it is enabled again.${used}`,
        confirmLabel: 'Disable',
      }))
    if (!isSure) return
    await act(
      () => read(api.PATCH('/api/v1/tools/{name}', { ...params, body: { isEnabled: !isEnabled } })),
      isEnabled ? `${name} disabled` : `${name} enabled`,
    )
  }
  return { dropDraft, remove, enable }
}
