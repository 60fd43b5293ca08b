import { Button, Group, Radio, Stack, Textarea, TextInput } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import type { FormEvent } from 'react'
import { api, read } from '../../api/client.ts'
import { GuardedModal } from '../../ui/dialog/guarded-dialog.tsx'
import { Refused } from '../../ui/refused.tsx'
import { blankDocument } from './editor/document.ts'
import { specKinds } from './spec/spec-draft.ts'
import type { SpecKindName } from './spec/spec-draft.ts'
import { refreshStudio } from './studio-queries.ts'

/** The name and kind of a new tool. Everything else is filled in on its page. */
export function NewTool({ onClose }: { onClose: () => void }) {
  const [name, setName] = useState('')
  const [description, setDescription] = useState('')
  const [kind, setKind] = useState<SpecKindName>('composition')
  const create = useCreate(onClose)
  const submit = (event: FormEvent) => {
    event.preventDefault()
    create.mutate({ name: name.trim(), description: description.trim(), kind })
  }
  return (
    <GuardedModal opened onClose={onClose} title="New tool" size="lg">
      <form onSubmit={submit}>
        <Stack gap="md">
          <TextInput
            label="Name"
            description="A group and a verb, in lower case. Agents and people call it by this name."
            placeholder="orders.find"
            required
            data-autofocus
            value={name}
            onChange={({ currentTarget }) => setName(currentTarget.value)}
          />
          <Textarea
            label="Description"
            description="For models: the purpose of the tool, and when to use it."
            autosize
            minRows={2}
            required
            value={description}
            onChange={({ currentTarget }) => setDescription(currentTarget.value)}
          />
          <Radio.Group label="How it works" value={kind} onChange={(next) => setKind(next)}>
            <Stack gap={8} mt={6}>
              {specKinds.map(({ value, label, help }) => (
                <Radio key={value} value={value} label={label} description={help} />
              ))}
            </Stack>
          </Radio.Group>
          {create.isError && <Refused error={create.error} />}
          <Group justify="flex-end">
            <Button variant="default" onClick={onClose}>
              Cancel
            </Button>
            <Button type="submit" loading={create.isPending}>
              Create draft
            </Button>
          </Group>
        </Stack>
      </form>
    </GuardedModal>
  )
}

interface NewToolFacts {
  name: string
  description: string
  kind: SpecKindName
}

function useCreate(onDone: () => void) {
  const queryClient = useQueryClient()
  const navigate = useNavigate()
  return useMutation({
    mutationFn: (facts: NewToolFacts) =>
      read(api.POST('/api/v1/tools', { body: { document: blankDocument(facts), publish: false } })),
    onSuccess: async ({ name }) => {
      onDone()
      await refreshStudio(queryClient)
      await navigate({ to: '/studio/$name', params: { name } })
    },
  })
}
