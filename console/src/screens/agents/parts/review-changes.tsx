import { Button, Group, Modal, Text } from '@mantine/core'
import { useInfiniteQuery } from '@tanstack/react-query'
import { IconArrowRight } from '@tabler/icons-react'
import { api, read } from '../../../api/client.ts'
import type { Api } from '../../../api/client.ts'
import { DecisionTag } from '../../../ui/status-tags.tsx'
import { Loading } from '../../../ui/loading.tsx'
import { Failed } from '../../../ui/states.tsx'
import { Notice } from '../../../ui/notice.tsx'
import { toTransitions } from './transitions.ts'
import type { Transition } from './transitions.ts'
import { usePatternMatches } from './use-pattern-matches.ts'
import styles from './parts.module.css'

interface ReviewChangesProps {
  title: string
  /** The change to simulate. */
  request: Api<'SimulationRequest'>
  /** Its patterns: the review warns about those that match nothing. */
  patterns?: readonly string[]
  isSaving: boolean
  onSave: () => void
  onClose: () => void
}

/** Simulates a change and shows which agents it affects. Nothing is saved until it is confirmed. */
export function ReviewChanges(props: ReviewChangesProps) {
  const { title, request, patterns = [], isSaving, onSave, onClose } = props
  const simulation = useInfiniteQuery({
    queryKey: ['policies', 'simulation', request],
    queryFn: ({ pageParam }) =>
      read(
        api.POST('/api/v1/policies/simulate', {
          body: { ...request, limit: 100, ...(pageParam !== '' && { after: pageParam }) },
        }),
      ),
    initialPageParam: '',
    getNextPageParam: ({ next }) => next,
    gcTime: 0,
  })
  const { data, isError, error, hasNextPage, isFetchingNextPage } = simulation
  return (
    <Modal opened onClose={onClose} title={title} size="lg">
      <IdlePatterns patterns={patterns} />
      {isError ? (
        <Failed error={error} retry={() => void simulation.refetch()} />
      ) : data === undefined ? (
        <Loading rows={3} />
      ) : (
        <Changes pages={data.pages} />
      )}
      {hasNextPage && (
        <Button
          variant="subtle"
          loading={isFetchingNextPage}
          onClick={() => void simulation.fetchNextPage()}
        >
          Check more agents
        </Button>
      )}
      <Group justify="flex-end" mt="md">
        <Button variant="default" onClick={onClose}>
          Back
        </Button>
        <Button onClick={onSave} loading={isSaving} disabled={data === undefined}>
          Save
        </Button>
      </Group>
    </Modal>
  )
}

function IdlePatterns({ patterns }: { patterns: readonly string[] }) {
  const matchOf = usePatternMatches(patterns)
  const idle = patterns.filter((pattern) => matchOf(pattern)?.count === 0)
  if (idle.length === 0) return null
  return (
    <Notice
      tone="ask"
      title={`${idle.join(', ')} ${idle.length === 1 ? 'matches' : 'match'} no tool`}
      isApart
    >
      No tool has {idle.length === 1 ? 'this name' : 'these names'}, so the rule has no effect for
      now. Check the spelling, or use a pattern such as <code>demo.*</code>.
    </Notice>
  )
}

interface SimulationPage {
  items: Api<'SimulatedChange'>[]
  unchanged: number
}

function Changes({ pages }: { pages: readonly SimulationPage[] }) {
  const changes = pages.flatMap(({ items }) => items)
  const unchanged = pages.reduce((sum, page) => sum + page.unchanged, 0)
  if (changes.length === 0) {
    return <Text c="dimmed">No agent is affected.</Text>
  }
  return (
    <>
      {changes.map((change) => (
        <section key={change.agent} className={styles.change} aria-label={change.agent}>
          <h3>{change.agent}</h3>
          <ul className={styles.transitions}>
            {toTransitions(change).map((transition) => (
              <TransitionRow key={`${transition.tool} ${transition.from}`} {...transition} />
            ))}
          </ul>
        </section>
      ))}
      {unchanged > 0 && (
        <Text c="dimmed" size="xs" mt="sm">
          {unchanged === 1 ? '1 agent is not affected.' : `${unchanged} agents are not affected.`}
        </Text>
      )}
    </>
  )
}

function TransitionRow({ tool, from, to }: Transition) {
  return (
    <li>
      <code>{tool}</code>
      <span className={styles.fromTo}>
        <DecisionTag decision={from} />
        <IconArrowRight size={14} aria-hidden="true" />
        <span className="visually-hidden">becomes</span>
        <DecisionTag decision={to} />
      </span>
    </li>
  )
}
