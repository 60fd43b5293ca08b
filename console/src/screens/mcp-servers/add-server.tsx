import { Button, Group, Stack, TextInput } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { api, read } from '../../api/client.ts'
import { refreshServers } from '../../api/refresh-servers.ts'
import { Refused } from '../../ui/refused.tsx'
import { notifySuccess } from '../../ui/notify.ts'
import { GuardedModal } from '../../ui/dialog/guarded-dialog.tsx'
import { blankServer, toSpec } from './server-draft.ts'
import type { ServerDraft } from './server-draft.ts'
import { ServerForm } from './server-form.tsx'

import { TestResult } from './test-result.tsx'

/** Adds an MCP server. It can be tested before it is saved. */
export function AddServer({ onClose }: { onClose: () => void }) {
  const [name, setName] = useState('')
  const [draft, setDraft] = useState(blankServer)
  const trial = useTest()
  const set = (change: Partial<ServerDraft>) => {
    setDraft((before) => ({ ...before, ...change }))
    trial.reset()
  }
  const add = useAdd(onClose)
  const isWhole = draft.kind === 'http' ? draft.url.trim() !== '' : draft.command.trim() !== ''
  return (
    <GuardedModal opened onClose={onClose} title="Add MCP server" size="lg">
      <form
        onSubmit={(event) => {
          event.preventDefault()
          add.mutate({ name, draft })
        }}
      >
        <Stack gap="sm">
          <TextInput
            label="Name"
            description="Its tools are named mcp:name:tool"
            placeholder="docs"
            required
            data-autofocus
            value={name}
            onChange={({ currentTarget }) => setName(currentTarget.value)}
          />
          <ServerForm draft={draft} set={set} isNew />
          <output>
            {trial.isError && <Refused error={trial.error} />}
            {trial.data !== undefined && <TestResult result={trial.data} />}
            {add.isError && <Refused error={add.error} />}
          </output>
          <Group justify="space-between">
            <Button
              variant="default"
              disabled={!isWhole}
              loading={trial.isPending}
              onClick={() => trial.mutate({ name, draft })}
            >
              Test
            </Button>
            <Group>
              <Button variant="default" onClick={onClose}>
                Cancel
              </Button>
              <Button type="submit" loading={add.isPending}>
                Add server
              </Button>
            </Group>
          </Group>
        </Stack>
      </form>
    </GuardedModal>
  )
}

interface NamedDraft {
  name: string
  draft: ServerDraft
}

function useTest() {
  return useMutation({
    mutationFn: ({ name, draft }: NamedDraft) =>
      read(
        api.POST('/api/v1/mcp-servers/{name}/test', {
          params: { path: { name: name === '' ? 'new' : name } },
          body: { server: toSpec(draft) },
        }),
      ),
  })
}

function useAdd(onDone: () => void) {
  const queryClient = useQueryClient()
  const navigate = useNavigate()
  return useMutation({
    mutationFn: ({ name, draft }: { name: string; draft: ServerDraft }) =>
      read(api.POST('/api/v1/mcp-servers', { body: { name, ...toSpec(draft) } })),
    onSuccess: async ({ name }) => {
      notifySuccess(`${name} added`)
      onDone()
      await navigate({ to: '/mcp-servers/$name', params: { name } })
      await refreshServers(queryClient)
    },
  })
}
