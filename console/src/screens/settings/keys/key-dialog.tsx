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
  { value: '', label: 'Not by itself' },
]

const modes = [
  { value: '', label: 'As the agent or the crib says' },
  { value: 'list', label: 'All in a list' },
  { value: 'search', label: 'Search for tools' },
  { value: 'auto', label: 'A list, or by search where there are many' },
]

/** Makes a key: what for, what it may do, for how long. */
export function KeyDialog({ onClose, onIssued }: KeyDialogProps) {
  const me = useMe()
  const queryClient = useQueryClient()
  const { data: settings } = useSettings()
  const [name, setName] = useState('')
  const [scopes, setScopes] = useState<string[]>(['tools.call'])
  const [agent, setAgent] = useState('')
  const [days, setDays] = useState('90')
  const [toolMode, setToolMode] = useState('')
  const make = useMutation({
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
  // Nobody hands out more than they hold.
  const offered = ['*', ...(settings?.permissions ?? [])].filter((permission) =>
    holds(me.permissions, permission),
  )
  return (
    <FormDialog
      title="New API key"
      confirmLabel="Create key"
      isReady={name.trim() !== '' && scopes.length > 0}
      task={make}
      onClose={onClose}
    >
      <TextInput
        label="Name"
        description="What the key is used for"
        value={name}
        onChange={({ currentTarget: { value } }) => setName(value)}
        maxLength={200}
        autoComplete="off"
        required
        data-autofocus
      />
      <TagsInput
        label="Scopes"
        description="Permissions or patterns such as billing.*. Press Enter to add one; * means everything."
        data={offered}
        value={scopes}
        onChange={setScopes}
        maxTags={100}
        required
      />
      <AgentSelect
        label="Acts as"
        description="Bound to an agent, the key can only do what that agent can."
        none="No agent"
        agent={agent}
        onChange={setAgent}
      />
      <Select
        label="Expires"
        data={expiries}
        value={days}
        onChange={(chosen) => setDays(chosen ?? '')}
        allowDeselect={false}
      />
      <Select
        label="Tools for MCP clients"
        data={modes}
        value={toolMode}
        onChange={(chosen) => setToolMode(chosen ?? '')}
        allowDeselect={false}
      />
    </FormDialog>
  )
}

function inDays(days: number): string {
  return new Date(Date.now() + days * 86_400_000).toISOString()
}
