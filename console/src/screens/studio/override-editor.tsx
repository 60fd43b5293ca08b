import { Button, NumberInput, Select, Stack, Switch, Textarea, TextInput } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import type { FormEvent } from 'react'
import { api, read } from '../../api/client.ts'
import type { Api } from '../../api/client.ts'
import { useUnsaved } from '../../ui/draft/use-unsaved.ts'
import { confirm, notifySuccess } from '../../ui/notify.ts'
import { Page, Panel } from '../../ui/page.tsx'
import { Refused } from '../../ui/refused.tsx'
import { Tag } from '../../ui/tag.tsx'
import { refreshStudio, usersOf } from './studio-queries.ts'
import type { ToolSource } from './studio-queries.ts'

type Override = NonNullable<Api<'ToolChange'>['override']>

/** Changes of a tool that is defined elsewhere: other words, and stricter rules. */
export function OverrideEditor({ source }: { source: ToolSource }) {
  const { name, isEnabled, override } = source
  const [draft, setDraft] = useState<Override>(() => toDraft(override))
  const [isOn, setOn] = useState(isEnabled)
  const hasChanged =
    isOn !== isEnabled || JSON.stringify(draft) !== JSON.stringify(toDraft(override))
  useUnsaved(hasChanged)
  const save = useSave(name)
  const set = (change: Partial<Override>) =>
    setDraft((before) => withoutBlank({ ...before, ...change }))
  const submit = async (event: FormEvent) => {
    event.preventDefault()
    const isSure = isOn || !isEnabled || (await confirmDisable(source))
    if (isSure)
      save.mutate({ isEnabled: isOn, override: Object.keys(draft).length === 0 ? null : draft })
  }
  return (
    <Page
      title={name}
      badges={
        <>
          <Tag>{source.source === 'builtin' ? 'Built in' : 'Defined elsewhere'}</Tag>
          {!isEnabled && <Tag tone="ask">Disabled</Tag>}
        </>
      }
      description={<Link to="/studio">Studio</Link>}
      actions={
        <Button
          variant="default"
          renderRoot={(props) => <Link to="/tools/$name" params={{ name }} {...props} />}
        >
          Open tool
        </Button>
      }
    >
      <Panel
        title="Changes for this tenant"
        description="Empty fields stay as the tool defines them. Rules can only become stricter."
      >
        <form onSubmit={(event) => void submit(event)}>
          <Stack gap="md" maw={640}>
            <Switch
              label="Enabled"
              checked={isOn}
              onChange={({ currentTarget }) => setOn(currentTarget.checked)}
            />
            <WordFields draft={draft} set={set} />
            <RuleFields draft={draft} set={set} />
            {save.isError && <Refused error={save.error} />}
            <Button type="submit" loading={save.isPending} disabled={!hasChanged} w="fit-content">
              Save changes
            </Button>
          </Stack>
        </form>
      </Panel>
    </Page>
  )
}

interface RuleFieldsProps {
  draft: Override
  set(change: Partial<Override>): void
}

function RuleFields({ draft, set }: RuleFieldsProps) {
  return (
    <>
      <Select
        label="Approval"
        data={[
          { value: '', label: 'As the tool defines it' },
          { value: 'always', label: 'Always' },
        ]}
        value={draft.approval ?? ''}
        allowDeselect={false}
        onChange={(approval) => set({ approval: approval === 'always' ? 'always' : undefined })}
      />
      <Select
        label="Effect"
        data={[
          { value: '', label: 'As the tool defines it' },
          { value: 'write', label: 'Writes' },
          { value: 'destructive', label: 'Destroys' },
        ]}
        value={draft.effect ?? ''}
        allowDeselect={false}
        onChange={(effect) =>
          set({ effect: effect === 'write' || effect === 'destructive' ? effect : undefined })
        }
      />
      <TextInput
        label="Permission"
        description="The caller must hold this one as well"
        value={draft.permission ?? ''}
        onChange={({ currentTarget }) => set({ permission: currentTarget.value })}
      />
      <NumberInput
        label="Time limit in ms"
        description="Shorter than the tool’s own"
        min={1}
        allowDecimal={false}
        value={draft.timeoutMs ?? ''}
        onChange={(value) => set({ timeoutMs: typeof value === 'number' ? value : undefined })}
      />
    </>
  )
}

function toDraft(override: ToolSource['override']): Override {
  const { isEnabled: _isEnabled, ...facts } = (override ?? {}) as Override & { isEnabled?: boolean }
  return facts
}

function withoutBlank(draft: Partial<Override>): Override {
  return Object.fromEntries(
    Object.entries(draft).filter(([, value]) => value !== undefined && value !== ''),
  )
}

function useSave(name: string) {
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: (change: Api<'ToolChange'>) =>
      read(api.PATCH('/api/v1/tools/{name}', { params: { path: { name } }, body: change })),
    onSuccess: async () => {
      notifySuccess(`${name} saved`)
      await refreshStudio(queryClient)
    },
  })
}

function WordFields({ draft, set }: RuleFieldsProps) {
  return (
    <>
      <TextInput
        label="Title"
        value={draft.title ?? ''}
        onChange={({ currentTarget }) => set({ title: currentTarget.value })}
      />
      <Textarea
        label="Description"
        autosize
        minRows={2}
        value={draft.description ?? ''}
        onChange={({ currentTarget }) => set({ description: currentTarget.value })}
      />
    </>
  )
}

function confirmDisable({ name, usedBy }: ToolSource): Promise<boolean> {
  const users = usersOf(usedBy)
  return confirm({
    title: `Disable ${name}?`,
    message: `Nobody in this tenant can call it. ${users.length === 0 ? 'Nothing names it.' : `Named by ${users.join(', ')}.`}`,
    confirmLabel: 'Disable',
  })
}
