import { Button, Group, Modal, Stack, TextInput } from '@mantine/core'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { api, read } from '../../../api/client.ts'
import type { Api } from '../../../api/client.ts'
import { DiffView } from '../../../output/diff/diff-view.tsx'
import { Loading } from '../../../ui/loading.tsx'
import { Notice } from '../../../ui/notice.tsx'
import { notifySuccess } from '../../../ui/notify.ts'
import { Refused } from '../../../ui/refused.tsx'
import type { Draft } from '../spec/spec-draft.ts'
import { refreshStudio } from '../studio-queries.ts'
import { FindingsList } from './findings-list.tsx'
import styles from '../studio.module.css'

interface PublishDialogProps {
  name: string
  document: Draft
  revision: number | undefined
  onClose(): void
}

/** The effects of publishing: problems, the agents that would see the tool, and the difference. */
export function PublishDialog({ name, document, revision, onClose }: PublishDialogProps) {
  const [note, setNote] = useState('')
  const preview = usePreview(name, document)
  const publish = usePublish({ name, revision, onDone: onClose })
  return (
    <Modal opened onClose={onClose} title={`Publish ${name}`} size="lg">
      <form
        onSubmit={(event) => {
          event.preventDefault()
          publish.mutate(note.trim())
        }}
      >
        <Stack gap="md">
          {preview.isPending && <Loading rows={3} height={24} />}
          {preview.isError && <Refused error={preview.error} />}
          {preview.data !== undefined && <PreviewView preview={preview.data} />}
          <TextInput
            label="Note"
            description="Why it changes, for the list of versions"
            value={note}
            maxLength={200}
            data-autofocus
            onChange={({ currentTarget }) => setNote(currentTarget.value)}
          />
          {publish.isError && <Refused error={publish.error} />}
          <Group justify="flex-end">
            <Button variant="default" onClick={onClose}>
              Cancel
            </Button>
            <Button
              type="submit"
              loading={publish.isPending}
              disabled={preview.data?.isPublishable !== true}
            >
              Publish
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  )
}

function PreviewView({ preview }: { preview: Api<'ToolSourcePreview'> }) {
  const { findings, isPublishable, effect, sight, secrets = [], diff = '' } = preview
  return (
    <>
      {!isPublishable && <Notice tone="deny" title="Fix the errors before you publish" />}
      {findings.length > 0 && <FindingsList findings={findings} />}
      {sight !== undefined && (
        <p>
          {describeSight(sight)}
          {effect !== undefined && ` Effect: ${effect}.`}
          {secrets.length > 0 && ` It needs ${secrets.join(', ')}.`}
        </p>
      )}
      {diff !== '' && (
        // It scrolls by itself, so that the buttons stay in sight.
        <div className={styles.difference}>
          <DiffView text={diff} label="Changes since the published version" />
        </div>
      )}
    </>
  )
}

/** The agents that could call it, in a sentence. */
export function describeSight({ agents, sees, asks, isPartial }: Api<'AgentSight'>): string {
  if (agents === 0) return 'There are no agents yet; members who may call tools will see it.'
  const seen = `${sees.length} of ${isPartial ? `the first ${agents}` : agents} ${agents === 1 ? 'agent' : 'agents'} will see it`
  return asks.length === 0 ? `${seen}.` : `${seen}; ${asks.length} must ask for approval.`
}

function usePreview(name: string, document: Draft) {
  return useQuery({
    queryKey: ['studio', 'preview', name, document],
    queryFn: () => read(api.POST('/api/v1/tools/preview-source', { body: { document } })),
    gcTime: 0,
  })
}

interface PublishOptions {
  name: string
  revision: number | undefined
  onDone(): void
}

function usePublish({ name, revision, onDone }: PublishOptions) {
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: (note: string) =>
      read(
        api.POST('/api/v1/tools/{name}/publish', {
          params: { path: { name } },
          body: {
            ...(note !== '' && { note }),
            ...(revision !== undefined && { revision }),
          },
        }),
      ),
    onSuccess: async ({ version, isNew }) => {
      notifySuccess(
        isNew ? `${name} published as version ${version.number}` : 'Nothing has changed',
      )
      onDone()
      await refreshStudio(queryClient)
    },
  })
}
