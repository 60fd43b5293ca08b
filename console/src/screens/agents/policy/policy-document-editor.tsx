import { Button, Group, Select, Stack, Text } from '@mantine/core'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { api, read } from '../../../api/client.ts'
import { useNames } from '../../../api/use-names.ts'
import { EditConflict } from '../../../ui/draft/edit-conflict.tsx'
import { Notice } from '../../../ui/notice.tsx'
import { notifySuccess, notifyFailure } from '../../../ui/notify.ts'
import { TimeAgo } from '../../../ui/time.tsx'
import { useDraft } from '../../../ui/draft/use-draft.ts'
import { useUnsaved } from '../../../ui/draft/use-unsaved.ts'
import { wordsQuery } from '../parts/agent-queries.ts'
import { PatternsInput } from '../parts/patterns-input.tsx'
import { ReviewChanges } from '../parts/review-changes.tsx'
import { emptyDraft, toBody, toDraft, toSimulation } from './policy-document.ts'
import type { PolicyDocument, PolicyDocumentDraft, LevelKind } from './policy-document.ts'

interface PolicyDocumentEditorProps {
  kind: LevelKind
  name: string
  /** The stored document; absent while there is none. */
  policyDocument?: PolicyDocument
  isReadOnly: boolean
  onDone?: () => void
}

/** Edits a level, a profile or a group, and reviews the effect before it is saved. */
export function PolicyDocumentEditor({
  kind,
  name,
  policyDocument,
  isReadOnly,
  onDone,
}: PolicyDocumentEditorProps) {
  const drafting = useDraft(policyDocument, (from) =>
    from ? toDraft(kind, from.body) : emptyDraft,
  )
  const { draft, set, hasChanged, basis } = drafting
  const [review, setReview] = useState<'save' | 'delete'>()
  // The dialog asks about unsaved changes by itself.
  useUnsaved(hasChanged && onDone === undefined)
  const done = (words: string) => {
    setReview(undefined)
    notifySuccess(words)
    onDone?.()
  }
  const save = useWrite({ kind, name, version: basis?.version }, () => done('Saved'))
  const remove = useRemove({ kind, name }, () => done('Removed'))
  return (
    <Stack gap="md">
      {policyDocument !== undefined && <Notes policyDocument={policyDocument} />}
      {drafting.isStale && <EditConflict onStartOver={() => drafting.startOver(policyDocument)} />}
      <Fields kind={kind} draft={draft} set={set} isReadOnly={isReadOnly} />
      {!isReadOnly && (
        <Bar
          mayRemove={policyDocument !== undefined}
          maySave={policyDocument === undefined || hasChanged}
          onReview={setReview}
        />
      )}
      {review !== undefined && (
        <ReviewChanges
          title={review === 'save' ? 'Review changes' : 'Review removal'}
          request={toSimulation(kind, name, review === 'save' ? draft : null)}
          patterns={review === 'save' ? [...draft.allow, ...draft.deny] : []}
          isSaving={save.isPending || remove.isPending}
          onSave={() => (review === 'save' ? save.mutate(draft) : remove.mutate())}
          onClose={() => setReview(undefined)}
        />
      )}
    </Stack>
  )
}

/** Notices to read before changing the document. */
function Notes({ policyDocument }: { policyDocument: PolicyDocument }) {
  const { closed, isDeclared, updatedBy, updatedAt } = policyDocument
  const describeName = useNames()
  return (
    <>
      {closed !== undefined && (
        <Notice tone="deny" title="This policy can’t be read, so it denies everything">
          {closed}
        </Notice>
      )}
      {isDeclared ? (
        <Text c="dimmed">Set in the configuration; read-only here.</Text>
      ) : (
        <Text size="xs" c="dimmed">
          Set by {describeName(updatedBy)} <TimeAgo at={updatedAt} />
        </Text>
      )}
    </>
  )
}

interface BarProps {
  mayRemove: boolean
  maySave: boolean
  onReview: (what: 'save' | 'delete') => void
}

function Bar({ mayRemove, maySave, onReview }: BarProps) {
  return (
    <Group justify="space-between">
      {mayRemove ? (
        <Button variant="subtle" color="red" onClick={() => onReview('delete')}>
          Remove
        </Button>
      ) : (
        <span />
      )}
      <Button disabled={!maySave} onClick={() => onReview('save')}>
        Review changes
      </Button>
    </Group>
  )
}

interface FieldsProps {
  kind: LevelKind
  draft: PolicyDocumentDraft
  set: (change: Partial<PolicyDocumentDraft>) => void
  isReadOnly: boolean
}

function Fields({ kind, draft, set, isReadOnly }: FieldsProps) {
  const { data: words } = useQuery(wordsQuery)
  const profiles = new Set((words?.profiles ?? []).map((profile) => profile.name))
  if (draft.profile !== null) profiles.add(draft.profile)
  return (
    <>
      {(kind === 'policy' || kind === 'provider') && (
        <Select
          label="Profile"
          placeholder="None"
          clearable
          disabled={isReadOnly}
          data={[...profiles]}
          value={draft.profile}
          onChange={(profile) => set({ profile })}
        />
      )}
      <PatternsInput
        label={kind === 'group' ? 'Tools' : 'Allow'}
        description={allowWords[kind]}
        disabled={isReadOnly}
        value={draft.allow}
        onChange={(allow) => set({ allow })}
      />
      {kind !== 'group' && (
        <PatternsInput
          label="Deny"
          description="Always denied, even if something else allows it"
          disabled={isReadOnly}
          value={draft.deny}
          onChange={(deny) => set({ deny })}
        />
      )}
    </>
  )
}

const allowWords: Record<LevelKind, string> = {
  policy:
    'Allow only these tools and those of the profile. If both are empty, all tools are allowed.',
  provider:
    'Allow only these tools and those of the profile. If both are empty, all tools are allowed.',
  profile: 'Tools and patterns it includes',
  group: 'Tools and patterns it includes',
}

function useRefresh() {
  const queryClient = useQueryClient()
  return () =>
    Promise.all(
      ['policies', 'explain', 'agents', 'tools'].map((kind) =>
        queryClient.invalidateQueries({ queryKey: [kind] }),
      ),
    )
}

function useWrite(
  { kind, name, version }: { kind: LevelKind; name: string; version?: number },
  onDone: () => void,
) {
  const refresh = useRefresh()
  return useMutation({
    mutationFn: (draft: PolicyDocumentDraft) =>
      read(
        api.PUT('/api/v1/policies/{kind}/{name}', {
          params: { path: { kind, name } },
          body: { body: toBody(kind, draft), ...(version !== undefined && { version }) },
        }),
      ),
    onSuccess: async () => {
      onDone()
      await refresh()
    },
    onError: notifyFailure,
  })
}

function useRemove({ kind, name }: { kind: LevelKind; name: string }, onDone: () => void) {
  const refresh = useRefresh()
  return useMutation({
    mutationFn: () =>
      read(api.DELETE('/api/v1/policies/{kind}/{name}', { params: { path: { kind, name } } })),
    onSuccess: async () => {
      onDone()
      await refresh()
    },
    onError: notifyFailure,
  })
}
