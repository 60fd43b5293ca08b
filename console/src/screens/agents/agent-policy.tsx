import { Button, Select, Stack } from '@mantine/core'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { api, read } from '../../api/client.ts'
import { useCan } from '../../api/me.ts'
import { ChangedMeanwhile } from '../../ui/changed-meanwhile.tsx'
import { Notice } from '../../ui/notice.tsx'
import { Panel } from '../../ui/page.tsx'
import { sayDone, sayFailed } from '../../ui/say.ts'
import { useDraft } from '../../ui/use-draft.ts'
import { useUnsaved } from '../../ui/unsaved.ts'
import { AgentGrants } from './agent-grants.tsx'
import { toChange, toDraft } from './parts/agent-draft.ts'
import type { AgentDraft } from './parts/agent-draft.ts'
import { wordsQuery } from './parts/agent-queries.ts'
import type { Agent } from './parts/agent-queries.ts'
import { AutonomyInput } from './parts/autonomy-input.tsx'
import { PatternsInput } from './parts/patterns-input.tsx'
import { ReviewChanges } from './parts/review-changes.tsx'
import styles from './agent.module.css'

/** What an agent was given and has to ask about. Every change is looked at before it is saved. */
export function AgentPolicy({ agent }: { agent: Agent }) {
  return (
    <div className={styles.halves}>
      <AgentGrants agent={agent} />
      <PolicyEditor agent={agent} />
    </div>
  )
}

function PolicyEditor({ agent }: { agent: Agent }) {
  const { draft, set, hasChanged, isStale, basis, startOver } = useDraft(agent, toDraft)
  const [isReviewing, setReviewing] = useState(false)
  const mayManage = useCan('agents.manage')
  const isReadOnly = agent.isDeclared || !mayManage
  const change = toChange(basis, draft)
  useUnsaved(hasChanged)
  const save = useSave(basis, (saved) => {
    setReviewing(false)
    startOver(saved)
  })
  return (
    <Panel
      title="Rules"
      description="What it may use, and what it has to ask about"
      actions={
        !isReadOnly && (
          <Button disabled={!hasChanged} onClick={() => setReviewing(true)}>
            Review changes
          </Button>
        )
      }
    >
      <Stack gap="md">
        {agent.isDeclared && (
          <Notice title="The configuration declares this agent">
            Change <code>agents[{agent.slug}]</code> in <code>toolcrib.config.ts</code> and start
            again. Grants can be added here all the same.
          </Notice>
        )}
        {isStale && <ChangedMeanwhile onStartOver={() => startOver(agent)} />}
        <Fields draft={draft} isReadOnly={isReadOnly} set={set} />
      </Stack>
      {isReviewing && (
        <ReviewChanges
          title={`What changes for ${agent.name ?? agent.slug}`}
          request={{ agent: agent.slug, agents: { [agent.slug]: change } }}
          isSaving={save.isPending}
          onSave={() => save.mutate(change)}
          onClose={() => setReviewing(false)}
        />
      )}
    </Panel>
  )
}

interface FieldsProps {
  draft: AgentDraft
  isReadOnly: boolean
  set: (change: Partial<AgentDraft>) => void
}

function Fields({ draft, isReadOnly, set }: FieldsProps) {
  const { data: words } = useQuery(wordsQuery)
  const profiles = new Set((words?.profiles ?? []).map(({ name }) => name))
  if (draft.profile !== null) profiles.add(draft.profile)
  return (
    <>
      <Select
        label="Profile"
        description="A named set of tools"
        placeholder="None"
        clearable
        disabled={isReadOnly}
        data={[...profiles]}
        value={draft.profile}
        onChange={(profile) => set({ profile })}
      />
      {patternFields.map(({ key, label, description }) => (
        <PatternsInput
          key={key}
          label={label}
          description={description}
          disabled={isReadOnly}
          value={draft[key]}
          onChange={(patterns) => set({ [key]: patterns })}
        />
      ))}
      <AutonomyInput
        value={draft.autonomy}
        disabled={isReadOnly}
        onChange={(autonomy) => set({ autonomy })}
      />
    </>
  )
}

const patternFields = [
  { key: 'allow', label: 'Allow', description: 'Tools and patterns it is granted' },
  { key: 'deny', label: 'Deny', description: 'Never, whatever else grants it' },
  { key: 'confirm', label: 'Confirm', description: 'A person is asked before every call' },
  { key: 'log', label: 'Log', description: 'Every call is marked in the log' },
  { key: 'silent', label: 'Silent', description: 'Neither, where nothing stricter fits' },
] as const

function useSave(base: Agent, onSaved: (agent: Agent) => void) {
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: (change: ReturnType<typeof toChange>) =>
      read(
        api.PATCH('/api/v1/agents/{slug}', {
          params: { path: { slug: base.slug } },
          body: { ...change, version: base.version },
        }),
      ),
    onSuccess: async (agent) => {
      queryClient.setQueryData(['agents', agent.slug], agent)
      onSaved(agent)
      sayDone('The rules are saved')
      await Promise.all([
        queryClient.invalidateQueries({ queryKey: ['agents'] }),
        queryClient.invalidateQueries({ queryKey: ['explain'] }),
      ])
    },
    onError: sayFailed,
  })
}
