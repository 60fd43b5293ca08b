import { Button, Group, Modal, Text } from '@mantine/core'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { api, read } from '../../api/client.ts'
import type { Api } from '../../api/client.ts'
import { notifySuccess, notifyFailure } from '../../ui/notify.ts'
import { Loading } from '../../ui/loading.tsx'
import { Failed } from '../../ui/states.tsx'
import { Tag } from '../../ui/tag.tsx'
import styles from './skills.module.css'

/** Adds a skill to an agent, by default in its newest version, or removes it. */
export interface SkillWish {
  agent: string
  skill: string
  version?: string
  isTaken?: boolean
}

/** Previews which grants an agent gains and loses with a skill. */
export function SkillChange({ wish, onClose }: { wish: SkillWish; onClose: () => void }) {
  const { agent, skill, version, isTaken = false } = wish
  const queryClient = useQueryClient()
  const trial = useQuery({
    // Its own query key: after the change, running the preview again would find nothing to do.
    queryKey: ['skill-trial', wish],
    queryFn: () => apply(wish, true),
    gcTime: 0,
    staleTime: 0,
  })
  const change = useMutation({
    mutationFn: () => apply(wish, false),
    onSuccess: async () => {
      notifySuccess(isTaken ? `${skill} removed from ${agent}` : `${skill} added to ${agent}`)
      onClose()
      await Promise.all(
        ['skills', 'agents', 'explain'].map((kind) =>
          queryClient.invalidateQueries({ queryKey: [kind] }),
        ),
      )
    },
    onError: notifyFailure,
  })
  return (
    <Modal
      opened
      onClose={onClose}
      title={isTaken ? `Remove ${skill} from ${agent}` : `Add ${skill} to ${agent}`}
    >
      {version !== undefined && (
        <Text size="xs" c="dimmed" mb="xs">
          Version {version.slice(0, 12)}
        </Text>
      )}
      {trial.isError ? (
        <Failed error={trial.error} retry={() => void trial.refetch()} />
      ) : trial.data === undefined ? (
        <Loading rows={3} />
      ) : (
        <Effects change={trial.data} />
      )}
      <Group justify="flex-end" mt="md">
        <Button variant="default" onClick={onClose}>
          Cancel
        </Button>
        <Button
          color={isTaken ? 'red' : undefined}
          loading={change.isPending}
          disabled={trial.data === undefined}
          onClick={() => change.mutate()}
        >
          {isTaken ? 'Remove' : 'Add'}
        </Button>
      </Group>
    </Modal>
  )
}

function Effects({ change: { grants, unknownTools } }: { change: Api<'SkillChange'> }) {
  const { added, removed, kept } = grants
  const isNothing = added.length + removed.length + kept.length === 0
  return (
    <>
      {isNothing && <Text c="dimmed">Grants don’t change.</Text>}
      <Patterns title="Granted by the skill" patterns={added} tag={<Tag tone="allow">Added</Tag>} />
      <Patterns title="No longer granted" patterns={removed} tag={<Tag tone="deny">Removed</Tag>} />
      <Patterns title="Still granted by another source" patterns={kept} tag={<Tag>Kept</Tag>} />
      {unknownTools.length > 0 && (
        <Text size="xs" c="dimmed" mt="sm">
          Not installed yet; granted once they are: {unknownTools.join(', ')}
        </Text>
      )}
    </>
  )
}

interface PatternsProps {
  title: string
  patterns: readonly string[]
  tag: React.ReactNode
}

function Patterns({ title, patterns, tag }: PatternsProps) {
  if (patterns.length === 0) return null
  return (
    <section className={styles.effects}>
      <h3>{title}</h3>
      <ul>
        {patterns.map((pattern) => (
          <li key={pattern}>
            <code>{pattern}</code>
            {tag}
          </li>
        ))}
      </ul>
    </section>
  )
}

function apply({ agent, skill, version, isTaken = false }: SkillWish, dryRun: boolean) {
  const path = { slug: agent, name: skill }
  if (isTaken) {
    return read(
      api.DELETE('/api/v1/agents/{slug}/skills/{name}', {
        params: { path, query: { dryRun: dryRun ? 'true' : 'false' } },
      }),
    )
  }
  return read(
    api.PUT('/api/v1/agents/{slug}/skills/{name}', {
      params: { path },
      body: { dryRun, ...(version !== undefined && { version }) },
    }),
  )
}
