import { Button, Group, Select, Stack, Textarea, TextInput } from '@mantine/core'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { api, read } from '../../api/client.ts'
import { toProblem } from '../../api/problem.ts'
import { Refused } from '../../ui/refused.tsx'
import { notifySuccess } from '../../ui/notify.ts'
import { GuardedModal } from '../../ui/dialog/guarded-dialog.tsx'
import { wordsQuery } from './parts/agent-queries.ts'
import { AutonomyInput } from './parts/autonomy-input.tsx'
import type { Autonomy } from './parts/autonomy-input.tsx'
import { PatternsInput } from './parts/patterns-input.tsx'

interface Draft {
  slug: string
  name: string
  model: string
  instructions: string
  autonomy: Autonomy
  profile: string | null
  allow: string[]
}

const fields = ['/slug', '/name', '/model', '/instructions', '/tools']

const blank: Draft = {
  slug: '',
  name: '',
  model: 'demo',
  instructions: '',
  autonomy: 'standard',
  profile: null,
  allow: [],
}

/** Creates an agent. It can use only the tools granted here. */
export function CreateAgent({ onClose }: { onClose: () => void }) {
  const [draft, setDraft] = useState(blank)
  const set = (change: Partial<Draft>) => setDraft((before) => ({ ...before, ...change }))
  const create = useCreateAgent(onClose)
  const issues = create.isError ? toProblem(create.error).issues : []
  const errorAt = (pointer: string) =>
    issues.find((issue) => issue.pointer.startsWith(pointer))?.message
  // Errors shown at their field are not repeated below.
  const isShown =
    issues.length > 0 && issues.every(({ pointer }) => fields.some((at) => pointer.startsWith(at)))
  return (
    <GuardedModal opened onClose={onClose} title="New agent" size="lg">
      <form
        onSubmit={(event) => {
          event.preventDefault()
          create.mutate(draft)
        }}
      >
        <Stack gap="sm">
          {create.isError && !isShown && <Refused error={create.error} />}
          <AgentFields draft={draft} set={set} errorAt={errorAt} />
          <Group justify="flex-end" mt="xs">
            <Button variant="default" onClick={onClose}>
              Cancel
            </Button>
            <Button type="submit" loading={create.isPending}>
              Create agent
            </Button>
          </Group>
        </Stack>
      </form>
    </GuardedModal>
  )
}

interface AgentFieldsProps {
  draft: Draft
  set: (change: Partial<Draft>) => void
  errorAt: (pointer: string) => string | undefined
}

function AgentFields({ draft, set, errorAt }: AgentFieldsProps) {
  const { data: vocabulary } = useQuery(wordsQuery)
  return (
    <>
      <TextInput
        label="Slug"
        description="Used in the API. It can’t be changed later."
        placeholder="support"
        required
        data-autofocus
        value={draft.slug}
        error={errorAt('/slug')}
        onChange={({ currentTarget }) => set({ slug: currentTarget.value })}
      />
      <TextInput
        label="Name"
        placeholder="Support"
        value={draft.name}
        error={errorAt('/name')}
        onChange={({ currentTarget }) => set({ name: currentTarget.value })}
      />
      <TextInput
        label="Model"
        description="Use demo without a key, or provider/model"
        required
        value={draft.model}
        error={errorAt('/model')}
        onChange={({ currentTarget }) => set({ model: currentTarget.value })}
      />
      <Textarea
        label="Instructions"
        autosize
        minRows={3}
        maxRows={10}
        value={draft.instructions}
        error={errorAt('/instructions')}
        onChange={({ currentTarget }) => set({ instructions: currentTarget.value })}
      />
      <PatternsInput
        label="Tools"
        description="Names or patterns. Without tools and without a profile, the agent can’t use any tool."
        placeholder={draft.allow.length === 0 ? 'billing.*, group:web' : ''}
        value={draft.allow}
        error={errorAt('/tools')}
        onChange={(allow) => set({ allow })}
      />
      <Select
        label="Profile"
        description="A named set of tools, in addition to those above"
        placeholder="None"
        clearable
        data={(vocabulary?.profiles ?? []).map(({ name }) => name)}
        value={draft.profile}
        onChange={(profile) => set({ profile })}
      />
      <AutonomyInput value={draft.autonomy} onChange={(autonomy) => set({ autonomy })} />
    </>
  )
}

function useCreateAgent(onDone: () => void) {
  const queryClient = useQueryClient()
  const navigate = useNavigate()
  return useMutation({
    mutationFn: ({ name, profile, allow, ...rest }: Draft) =>
      read(
        api.POST('/api/v1/agents', {
          body: {
            ...rest,
            ...(name !== '' && { name }),
            tools: { allow, deny: [], ...(profile !== null && { profile }) },
          },
        }),
      ),
    onSuccess: async ({ slug }) => {
      await queryClient.invalidateQueries({ queryKey: ['agents'] })
      notifySuccess('Agent created')
      onDone()
      await navigate({ to: '/agents/$slug', params: { slug } })
    },
  })
}
