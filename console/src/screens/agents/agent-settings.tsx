import { Button, Group, Select, Stack, Switch, Textarea, TextInput } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { api, read } from '../../api/client.ts'
import { useCan } from '../../api/me.ts'
import { EditConflict } from '../../ui/draft/edit-conflict.tsx'
import { Notice } from '../../ui/notice.tsx'
import { Panel } from '../../ui/page.tsx'
import { confirm, notifySuccess, notifyFailure } from '../../ui/notify.ts'
import { useDraft } from '../../ui/draft/use-draft.ts'
import { useUnsaved } from '../../ui/draft/use-unsaved.ts'
import type { Agent } from './parts/agent-queries.ts'
import styles from './agent.module.css'

type Draft = Pick<
  Agent,
  | 'model'
  | 'instructions'
  | 'toolMode'
  | 'shortNames'
  | 'memoryEnabled'
  | 'knowledgeEnabled'
  | 'subagentWorkspace'
  | 'attachmentsToWorkspace'
> & { name: string; workspaceMode: NonNullable<Agent['workspaceMode']> | '' }

/** An agent's name, model and instructions. */
export function AgentSettings({ agent }: { agent: Agent }) {
  const mayManage = useCan('agents.manage')
  const isReadOnly = agent.isDeclared || !mayManage
  return (
    <div className={styles.narrow}>
      {agent.isDeclared && (
        <Notice isApart title="This agent is defined in the configuration">
          Change <code>agents[{agent.slug}]</code> in <code>toolcrib.config.ts</code> and restart
          the server. The settings below are read-only.
        </Notice>
      )}
      <SettingsForm agent={agent} isReadOnly={isReadOnly} />
      {!isReadOnly && <DeleteAgent slug={agent.slug} />}
    </div>
  )
}

function SettingsForm({ agent, isReadOnly }: { agent: Agent; isReadOnly: boolean }) {
  const { draft, set, hasChanged, isStale, basis, startOver } = useDraft(agent, toDraft)
  useUnsaved(hasChanged)
  const save = useSave(basis, startOver)
  return (
    <Panel title="Settings">
      <form
        onSubmit={(event) => {
          event.preventDefault()
          save.mutate(draft)
        }}
      >
        <Stack gap="sm">
          {isStale && <EditConflict onStartOver={() => startOver(agent)} />}
          <SettingsFields draft={draft} set={set} isReadOnly={isReadOnly} />
          {!isReadOnly && (
            <Group justify="flex-end">
              <Button type="submit" disabled={!hasChanged} loading={save.isPending}>
                Save
              </Button>
            </Group>
          )}
        </Stack>
      </form>
    </Panel>
  )
}

interface SettingsFieldsProps {
  draft: Draft
  set: (change: Partial<Draft>) => void
  isReadOnly: boolean
}

function SettingsFields({ draft, set, isReadOnly }: SettingsFieldsProps) {
  return (
    <>
      <TextInput
        label="Name"
        value={draft.name}
        readOnly={isReadOnly}
        onChange={({ currentTarget }) => set({ name: currentTarget.value })}
      />
      <TextInput
        label="Model"
        description="Use demo without a key, or provider/model"
        required={!isReadOnly}
        value={draft.model}
        readOnly={isReadOnly}
        onChange={({ currentTarget }) => set({ model: currentTarget.value })}
      />
      <Textarea
        label="Instructions"
        autosize
        minRows={4}
        maxRows={20}
        dir="auto"
        value={draft.instructions}
        readOnly={isReadOnly}
        onChange={({ currentTarget }) => set({ instructions: currentTarget.value })}
      />
      <Select
        label="Tool mode"
        description="How the agent finds its tools"
        disabled={isReadOnly}
        allowDeselect={false}
        data={[
          { value: 'auto', label: 'Automatic, by number of tools' },
          { value: 'list', label: 'List all tools' },
          { value: 'search', label: 'Search for tools' },
        ]}
        value={draft.toolMode}
        onChange={(value) => value !== null && set({ toolMode: value })}
      />
      <ToolSwitches draft={draft} set={set} isReadOnly={isReadOnly} />
      <WorkspaceFields draft={draft} set={set} isReadOnly={isReadOnly} />
    </>
  )
}

function WorkspaceFields({ draft, set, isReadOnly }: SettingsFieldsProps) {
  return (
    <>
      <Select
        label="Files"
        description="May its tools change files; applies to new workspaces"
        disabled={isReadOnly}
        allowDeselect={false}
        data={[
          { value: '', label: 'As in the configuration' },
          { value: 'free', label: 'Change files' },
          { value: 'ask', label: 'Ask before changing files' },
          { value: 'read-only', label: 'Only read files' },
        ]}
        value={draft.workspaceMode}
        onChange={(value) => value !== null && set({ workspaceMode: value })}
      />
      <Switch
        label="Own files for agents it starts"
        description="Otherwise they share its files"
        disabled={isReadOnly}
        checked={draft.subagentWorkspace === 'own'}
        onChange={({ currentTarget }) =>
          set({ subagentWorkspace: currentTarget.checked ? 'own' : 'share' })
        }
      />
      <Switch
        label="Copy attachments to its files"
        description="Its tools can then use the files that people attach to messages"
        disabled={isReadOnly}
        checked={draft.attachmentsToWorkspace}
        onChange={({ currentTarget }) => set({ attachmentsToWorkspace: currentTarget.checked })}
      />
    </>
  )
}

function ToolSwitches({ draft, set, isReadOnly }: SettingsFieldsProps) {
  return (
    <>
      <Switch
        label="Short tool names"
        description="Offer file and shell tools as bash, read, write, edit, glob and grep, the names that coding models know"
        disabled={isReadOnly}
        checked={draft.shortNames}
        onChange={({ currentTarget }) => set({ shortNames: currentTarget.checked })}
      />
      <Switch
        label="Memory tools"
        disabled={isReadOnly}
        checked={draft.memoryEnabled}
        onChange={({ currentTarget }) => set({ memoryEnabled: currentTarget.checked })}
      />
      <Switch
        label="Knowledge tools"
        disabled={isReadOnly}
        checked={draft.knowledgeEnabled}
        onChange={({ currentTarget }) => set({ knowledgeEnabled: currentTarget.checked })}
      />
    </>
  )
}

function toDraft(agent: Agent): Draft {
  const { name, model, instructions, toolMode, shortNames } = agent
  const { memoryEnabled, knowledgeEnabled, subagentWorkspace, attachmentsToWorkspace } = agent
  const files = { workspaceMode: agent.workspaceMode ?? '', subagentWorkspace } as const
  const own = { name: name ?? '', model, instructions, toolMode, shortNames }
  return { ...own, ...files, memoryEnabled, knowledgeEnabled, attachmentsToWorkspace }
}

function useSave({ slug, version }: Agent, onSaved: (agent: Agent) => void) {
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: ({ name, workspaceMode, ...rest }: Draft) =>
      read(
        api.PATCH('/api/v1/agents/{slug}', {
          params: { path: { slug } },
          body: {
            ...rest,
            name: name === '' ? null : name,
            workspaceMode: workspaceMode === '' ? null : workspaceMode,
            version,
          },
        }),
      ),
    onSuccess: async (agent) => {
      queryClient.setQueryData(['agents', slug], agent)
      onSaved(agent)
      notifySuccess('Settings saved')
      await queryClient.invalidateQueries({ queryKey: ['agents'] })
    },
    onError: notifyFailure,
  })
}

function DeleteAgent({ slug }: { slug: string }) {
  const queryClient = useQueryClient()
  const navigate = useNavigate()
  const remove = useMutation({
    mutationFn: () => read(api.DELETE('/api/v1/agents/{slug}', { params: { path: { slug } } })),
    onSuccess: async () => {
      notifySuccess(`Agent ${slug} deleted`)
      await navigate({ to: '/agents' })
      await queryClient.invalidateQueries({ queryKey: ['agents'] })
    },
    onError: notifyFailure,
  })
  const ask = async () => {
    const isSure = await confirm({
      title: `Delete agent ${slug}?`,
      message:
        'Its grants, skills and secrets are deleted. Its API keys stop working and its schedules are disabled. Its calls stay in the audit log.',
      confirmLabel: 'Delete',
      isDangerous: true,
    })
    if (isSure) remove.mutate()
  }
  return (
    <Panel
      className={styles.below}
      title="Delete this agent"
      description="Also deletes its grants, skills and secrets. Its API keys stop working."
      actions={
        <Button color="red" variant="light" loading={remove.isPending} onClick={() => void ask()}>
          Delete agent
        </Button>
      }
    >
      {null}
    </Panel>
  )
}
