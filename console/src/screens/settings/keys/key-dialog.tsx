import { Select, TagsInput, TextInput } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { api, read } from '../../../api/client.ts'
import { holds, useMe } from '../../../api/me.ts'
import { AgentSelect } from '../../../ui/agent-select.tsx'
import { FormDialog } from '../../../ui/dialog/form-dialog.tsx'
import { useSettings } from '../use-settings.ts'
import type { IssuedKey } from './api-key.ts'

interface KeyDialogProps {
  onClose: () => void
  onIssued: (key: IssuedKey) => void
}

const expiries = [
  { value: '7', label: 'In 7 days' },
  { value: '30', label: 'In 30 days' },
  { value: '90', label: 'In 90 days' },
  { value: '365', label: 'In a year' },
  { value: '', label: 'Never' },
]

const modes = [
  { value: '', label: 'Default of the agent or the server' },
  { value: 'list', label: 'List all tools' },
  { value: 'search', label: 'Search for tools' },
  { value: 'auto', label: 'Automatic, by number of tools' },
]

interface Draft {
  name: string
  scopes: string[]
  agent: string
  days: string
  toolMode: string
}

const blank: Draft = { name: '', scopes: ['tools.call'], agent: '', days: '90', toolMode: '' }

/** Creates a key with its scopes and expiry. */
export function KeyDialog({ onClose, onIssued }: KeyDialogProps) {
  const [draft, setDraft] = useState(blank)
  const create = useCreate(draft, onIssued)
  return (
    <FormDialog
      title="New API key"
      confirmLabel="Create key"
      isReady={draft.name.trim() !== '' && draft.scopes.length > 0}
      task={create}
      onClose={onClose}
    >
      <KeyFields draft={draft} set={(change) => setDraft((before) => ({ ...before, ...change }))} />
    </FormDialog>
  )
}

interface KeyFieldsProps {
  draft: Draft
  set: (change: Partial<Draft>) => void
}

function KeyFields({ draft, set }: KeyFieldsProps) {
  const me = useMe()
  const { data: settings } = useSettings()
  // Nobody can grant more than they have.
  const offered = ['*', ...(settings?.permissions ?? [])].filter((permission) =>
    holds(me.permissions, permission),
  )
  return (
    <>
      <TextInput
        label="Name"
        description="What the key is used for"
        value={draft.name}
        onChange={({ currentTarget: { value } }) => set({ name: value })}
        maxLength={200}
        autoComplete="off"
        required
        data-autofocus
      />
      <TagsInput
        label="Scopes"
        description="Permissions or patterns such as billing.*. Press Enter to add one; * means everything."
        data={offered}
        value={draft.scopes}
        onChange={(scopes) => set({ scopes })}
        maxTags={100}
        required
      />
      <AgentSelect
        label="Acts as"
        description="A key bound to an agent can only do what that agent can."
        none="No agent"
        agent={draft.agent}
        onChange={(agent) => set({ agent })}
      />
      <Select
        label="Expires"
        data={expiries}
        value={draft.days}
        onChange={(days) => set({ days: days ?? '' })}
        allowDeselect={false}
      />
      <Select
        label="Tools for MCP clients"
        data={modes}
        value={draft.toolMode}
        onChange={(toolMode) => set({ toolMode: toolMode ?? '' })}
        allowDeselect={false}
      />
    </>
  )
}

function useCreate(
  { name, scopes, agent, days, toolMode }: Draft,
  onIssued: KeyDialogProps['onIssued'],
) {
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: () =>
      read(
        api.POST('/api/v1/keys', {
          body: {
            name: name.trim(),
            scopes,
            ...(agent !== '' && { agent }),
            ...(toolMode !== '' && { toolMode: toolMode as 'list' | 'search' | 'auto' }),
            ...(days !== '' && { expiresAt: inDays(Number(days)) }),
          },
        }),
      ),
    async onSuccess(key) {
      onIssued(key)
      await queryClient.invalidateQueries({ queryKey: ['keys'] })
    },
  })
}

function inDays(days: number): string {
  return new Date(Date.now() + days * 86_400_000).toISOString()
}
