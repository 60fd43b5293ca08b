import { ActionIcon, Button, Select } from '@mantine/core'
import {
  keepPreviousData,
  useInfiniteQuery,
  useMutation,
  useQueryClient,
} from '@tanstack/react-query'
import { Link, useNavigate } from '@tanstack/react-router'
import { IconPlus, IconTrash } from '@tabler/icons-react'
import { api, read } from '../../../api/client.ts'
import type { Api } from '../../../api/client.ts'
import { confirm, notifyFailure } from '../../../ui/notify.ts'
import { LoadMore } from '../../../ui/list/load-more.tsx'
import { Loading } from '../../../ui/loading.tsx'
import { Failed } from '../../../ui/states.tsx'
import { TimeAgo } from '../../../ui/time.tsx'
import { useChatAgents } from '../use-agents.ts'
import styles from '../chat.module.css'

interface ConversationListProps {
  agent: string
  current: string | undefined
  onNavigate?: () => void
}

/** Your conversations with an agent, newest first. */
export function ConversationList({ agent, current, onNavigate }: ConversationListProps) {
  const query = useConversations(agent)
  const items = query.data?.pages.flatMap((page) => page.items) ?? []
  return (
    <>
      <div className={styles.sideTop}>
        <ChooseOther agent={agent} />
        <Button
          renderRoot={(props) => (
            <Link
              to="/chat/{-$agent}/{-$conversation}"
              params={{ agent, conversation: undefined }}
              {...props}
            />
          )}
          variant="default"
          justify="flex-start"
          leftSection={<IconPlus size={16} stroke={1.6} />}
          onClick={onNavigate}
        >
          New conversation
        </Button>
      </div>
      <nav className={styles.conversations} aria-label="Conversations">
        {query.isPending && <Loading rows={4} height={44} />}
        {query.isError && items.length === 0 && (
          <Failed error={query.error} retry={() => void query.refetch()} />
        )}
        {query.isSuccess && items.length === 0 && (
          <p className={styles.note}>No conversations yet.</p>
        )}
        <ul>
          {items.map((conversation) => (
            <Row
              key={conversation.id}
              conversation={conversation}
              isCurrent={conversation.id === current}
              {...(onNavigate !== undefined && { onNavigate })}
            />
          ))}
        </ul>
        <LoadMore query={query} />
      </nav>
    </>
  )
}

function useConversations(agent: string) {
  return useInfiniteQuery({
    queryKey: ['conversations', 'list', agent],
    queryFn: ({ pageParam }) =>
      read(
        api.GET('/api/v1/conversations', {
          params: {
            query: {
              agent,
              kind: 'chat',
              own: 'true',
              limit: 30,
              ...(pageParam !== '' && { after: pageParam }),
            },
          },
        }),
      ),
    initialPageParam: '',
    getNextPageParam: ({ next }) => next,
    placeholderData: keepPreviousData,
  })
}

function ChooseOther({ agent }: { agent: string }) {
  const navigate = useNavigate()
  const { data } = useChatAgents()
  const known = data?.items ?? []
  const agents = known.some(({ slug }) => slug === agent) ? known : [...known, { slug: agent }]
  return (
    <Select
      aria-label="Agent"
      data={agents.map((one) => ({
        value: one.slug,
        label: 'name' in one && one.name !== undefined ? one.name : one.slug,
      }))}
      value={agent}
      allowDeselect={false}
      searchable={agents.length > 8}
      onChange={(slug) =>
        void navigate({
          to: '/chat/{-$agent}/{-$conversation}',
          params: { agent: slug ?? agent, conversation: undefined },
        })
      }
    />
  )
}

interface RowProps {
  conversation: Api<'Conversation'>
  isCurrent: boolean
  onNavigate?: () => void
}

function Row({ conversation, isCurrent, onNavigate }: RowProps) {
  const { id, agent, title, updatedAt, turnId } = conversation
  const remove = useRemove(conversation, isCurrent)
  const name = title ?? 'Conversation'
  return (
    <li className={styles.conversation} data-current={isCurrent || undefined}>
      <Link
        to="/chat/{-$agent}/{-$conversation}"
        params={{ agent, conversation: id }}
        aria-current={isCurrent ? 'page' : undefined}
        {...(onNavigate !== undefined && { onClick: onNavigate })}
      >
        <span dir="auto">{name}</span>
        <small>
          <TimeAgo at={updatedAt} />
          {turnId !== undefined && ' · running'}
        </small>
      </Link>
      <ActionIcon
        size={24}
        aria-label={`Delete ${name}`}
        loading={remove.isPending}
        onClick={() => void remove.ask(name)}
      >
        <IconTrash size={14} stroke={1.6} />
      </ActionIcon>
    </li>
  )
}

function useRemove({ id, agent }: Pick<Api<'Conversation'>, 'id' | 'agent'>, isCurrent: boolean) {
  const queryClient = useQueryClient()
  const navigate = useNavigate()
  const { mutate, isPending } = useMutation({
    mutationFn: () => read(api.DELETE('/api/v1/conversations/{id}', { params: { path: { id } } })),
    onSuccess: async () => {
      if (isCurrent) {
        await navigate({
          to: '/chat/{-$agent}/{-$conversation}',
          params: { agent, conversation: undefined },
        })
      }
      await queryClient.invalidateQueries({ queryKey: ['conversations', 'list'] })
    },
    onError: notifyFailure,
  })
  return {
    isPending,
    async ask(name: string) {
      const isSure = await confirm({
        title: 'Delete this conversation?',
        message: `“${name}” is deleted with its messages and files. Its calls stay in the audit log.`,
        confirmLabel: 'Delete',
        isDangerous: true,
      })
      if (isSure) mutate()
    },
  }
}
