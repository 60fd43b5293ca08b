import { Button, Select, Stack } from '@mantine/core'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { api, read } from '../../api/client.ts'
import { useCan } from '../../api/me.ts'
import { EditConflict } from '../../ui/draft/edit-conflict.tsx'
import { Notice } from '../../ui/notice.tsx'
import { Panel } from '../../ui/page.tsx'
import { notifySuccess, notifyFailure } from '../../ui/notify.ts'
import { useDraft } from '../../ui/draft/use-draft.ts'
import { useUnsaved } from '../../ui/draft/use-unsaved.ts'
import { AgentGrants, SkillGrants } from './agent-grants.tsx'
import { toChange, toDraft } from './parts/agent-draft.ts'
import type { AgentDraft } from './parts/agent-draft.ts'
import { wordsQuery } from './parts/agent-queries.ts'
import type { Agent } from './parts/agent-queries.ts'
import { AutonomyInput } from './parts/autonomy-input.tsx'
import { PatternsInput } from './parts/patterns-input.tsx'
import { ReviewChanges } from './parts/review-changes.tsx'
import styles from './agent.module.css'

/** An agent's tools and approval rules. Every change is reviewed before it is saved. */
export function AgentPolicy({ agent }: { agent: Agent }) {
  const mayManage = useCan('agents.manage')
  const isReadOnly = agent.isDeclared || !mayManage
  return (
    <div className={styles.halves}>
      {isReadOnly && <AgentGrants agent={agent} />}
      <PolicyEditor agent={agent} isReadOnly={isReadOnly} />
      {!isReadOnly && <SkillGrants agent={agent} />}
    </div>
  )
}

function PolicyEditor({ agent, isReadOnly }: { agent: Agent; isReadOnly: boolean }) {
  const { draft, set, hasChanged, isStale, basis, startOver } = useDraft(agent, toDraft)
  const [isReviewing, setReviewing] = useState(false)
  const change = toChange(basis, draft)
  useUnsaved(hasChanged)
  const save = useSave(basis, (saved) => {
    setReviewing(false)
    startOver(saved)
  })
  return (
    <Panel
      title="Rules"
      description="What the agent can use, and what needs approval"
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
          <Notice title="This agent is defined in the configuration">
            Change <code>agents[{agent.slug}]</code> in <code>toolcrib.config.ts</code> and restart.
            You can still add grants here.
          </Notice>
        )}
        {isStale && <EditConflict onStartOver={() => startOver(agent)} />}
        <Fields draft={draft} isReadOnly={isReadOnly} set={set} />
      </Stack>
      {isReviewing && (
        <ReviewChanges
          title={`Changes for ${agent.name ?? agent.slug}`}
          request={{ agent: agent.slug, agents: { [agent.slug]: change } }}
          patterns={patternFields.flatMap(({ key }) => draft[key])}
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
  const shown = patternFields.filter(({ key }) => !(isReadOnly && grantKeys.has(key)))
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
      {shown.map(({ key, label, description, example }) => (
        <PatternsInput
          key={key}
          label={label}
          description={description}
          placeholder={draft[key].length > 0 ? '' : isReadOnly ? 'None' : example}
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
  {
    key: 'allow',
    label: 'Allow',
    description: 'Tools and patterns the agent can use',
    example: 'billing.*, group:web',
  },
  {
    key: 'deny',
    label: 'Deny',
    description: 'Always denied, even if granted elsewhere',
    example: 'billing.refund',
  },
  {
    key: 'confirm',
    label: 'Confirm',
    description: 'Every call needs a person’s approval',
    example: 'mail.send',
  },
  {
    key: 'log',
    label: 'Log',
    description: 'Every call is marked in the audit log',
    example: 'files.write',
  },
  {
    key: 'silent',
    label: 'Silent',
    description: 'Neither confirmed nor logged, unless a stricter rule matches',
    example: 'billing.find',
  },
] as const

/** Shown where rules are read-only: the grants already list allow and deny with their sources. */
const grantKeys: ReadonlySet<string> = new Set(['allow', 'deny'])

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
      notifySuccess('Rules saved')
      await Promise.all([
        queryClient.invalidateQueries({ queryKey: ['agents'] }),
        queryClient.invalidateQueries({ queryKey: ['explain'] }),
      ])
    },
    onError: notifyFailure,
  })
}
