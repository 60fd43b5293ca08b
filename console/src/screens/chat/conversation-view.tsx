import { Button } from '@mantine/core'
import { useEffect, useState } from 'react'
import type { Api } from '../../api/client.ts'
import { useMe } from '../../api/me.ts'
import { Loading } from '../../ui/loading.tsx'
import { Failed } from '../../ui/states.tsx'
import { Tag } from '../../ui/tag.tsx'
import { Composer } from './composer/composer.tsx'
import { MessageView } from './message/message-view.tsx'
import { WaitingElsewhere } from './message/waiting-elsewhere.tsx'
import { useNames } from '../../api/use-names.ts'
import { SendProblem, TurnEnd } from './turn-problem.tsx'
import type { Message } from './turn/message.ts'
import { useConversation } from './turn/use-conversation.ts'
import type { StoredConversation } from './turn/use-conversation.ts'
import type { LiveConversation } from './turn/live-conversation.ts'
import type { TurnState } from './turn/live-store.ts'
import {
  isTurnRunning,
  mergeMessages,
  useLiveConversation,
  useLiveState,
} from './turn/use-live-conversation.ts'
import { useStickToEnd } from './use-stick-to-end.ts'
import { Welcome } from './welcome.tsx'
import styles from './chat.module.css'

interface ConversationViewProps {
  agent: string
  name: string
  conversation: string | undefined
  model: string
  /** Why the agent can't answer now. */
  trouble: Api<'CallError'> | undefined
  prompt: string | undefined
}

/** The messages of a conversation, the running answer, and the composer. */
export function ConversationView(props: ConversationViewProps) {
  const { agent, conversation } = props
  const live = useLiveConversation(agent, conversation)
  const state = useLiveState(live)
  const [pages, setPages] = useState(1)
  const query = useConversation(conversation, pages)
  const stored = query.data
  const isForeign = useIsForeign(stored)
  useFollowing({
    live,
    state,
    isDue: !isForeign && isTurnRunning(stored),
    isOver: stored?.detail.status === 'idle',
    at: query.dataUpdatedAt,
  })
  const messages = mergeMessages(stored?.messages ?? [], state)
  const end = useStickToEnd()
  if (query.isError && stored === undefined && messages.length === 0) {
    return <Failed error={query.error} retry={() => void query.refetch()} />
  }
  return (
    <>
      <section className={styles.scroll} ref={end} tabIndex={0} aria-label="Conversation">
        <div className={styles.column}>
          {messages.length === 0 && <Nothing {...props} />}
          {stored?.hasEarlier === true && (
            <Button
              variant="default"
              size="compact-sm"
              loading={query.isPlaceholderData}
              onClick={() => setPages(pages + 1)}
            >
              Show earlier messages
            </Button>
          )}
          <Messages
            messages={messages}
            stored={stored}
            live={live}
            state={state}
            agent={agent}
            isForeign={isForeign}
          />
        </div>
      </section>
      <Foot {...props} live={live} state={state} stored={stored} isForeign={isForeign} />
    </>
  )
}

/** No messages yet, or they are loading. */
function Nothing(props: ConversationViewProps) {
  if (props.conversation === undefined) return <Welcome {...props} />
  return <Loading rows={4} height={56} />
}

interface MessagesProps {
  messages: readonly Message[]
  stored: StoredConversation | undefined
  live: LiveConversation
  state: TurnState
  agent: string
  /** Someone else's conversation: read-only. */
  isForeign: boolean
}

function Messages({ messages, stored, live, state, agent, isForeign }: MessagesProps) {
  const last = messages.at(-1)
  const isLive = state.phase !== 'idle'
  const waiting = stored?.detail.waiting ?? nothing
  return (
    <>
      {messages.map((message) => (
        <MessageView
          key={message.id}
          message={message}
          waiting={waiting}
          wireNames={stored?.detail.wireNames}
          agent={agent}
          isLive={isLive && message === last}
        />
      ))}
      {isLive && last?.role === 'user' && (
        <span className={styles.thinking}>
          <Tag tone="iris" isBusy>
            {state.phase === 'sending' ? 'Sending' : 'Thinking'}
          </Tag>
        </span>
      )}
      {!isLive && <WaitingElsewhere waiting={waiting} messages={messages} />}
      {!isLive && stored !== undefined && !isForeign && (
        <TurnEnd
          stored={stored}
          last={last}
          onAgain={() => void live.regenerate(answerIdOf(last))}
        />
      )}
    </>
  )
}

/** One constant list, so that memoized children are not rendered again. */
const nothing: StoredConversation['detail']['waiting'] = []

function answerIdOf(last: Message | undefined): string | undefined {
  return last?.role === 'assistant' ? last.id : undefined
}

type FootProps = ConversationViewProps &
  Pick<MessagesProps, 'live' | 'state' | 'stored'> & { isForeign: boolean }

function Foot(props: FootProps) {
  const { agent, name, conversation, trouble, prompt, live, state, stored, isForeign } = props
  const owner = stored?.detail.principal
  return (
    <div className={styles.foot}>
      <output>
        {state.phase === 'lost' ? (
          <span className={styles.lost}>
            Connection lost. The agent keeps running on the server…
          </span>
        ) : (
          <span className="visually-hidden">{phaseText(state, stored)}</span>
        )}
      </output>
      {state.problem !== undefined && (
        <SendProblem problem={state.problem} onDismiss={live.dismiss} />
      )}
      {isForeign ? (
        <ForeignNote owner={owner} />
      ) : (
        <Composer
          key={`${live.key} ${prompt ?? ''}`}
          live={live}
          agent={agent}
          name={name}
          conversation={conversation}
          stored={stored}
          prompt={prompt}
          isBroken={trouble !== undefined}
        />
      )}
    </div>
  )
}

function ForeignNote({ owner }: { owner: Api<'Principal'> | undefined }) {
  const describeName = useNames()
  return (
    <p className={styles.note}>
      This conversation belongs to {owner === undefined ? 'someone else' : describeName(owner)}. It
      is read-only.
    </p>
  )
}

function phaseText({ phase }: TurnState, stored: StoredConversation | undefined): string {
  if (phase !== 'idle') return 'The agent is answering.'
  const waiting = stored?.detail.waiting.length ?? 0
  return waiting === 0 ? '' : 'The agent is waiting for approval.'
}

/** The stored turn has ended, so the stream is about to end as well. */
const leaveAfterMs = 1500

interface Following {
  live: LiveConversation
  state: TurnState
  isDue: boolean
  /** No turn is running, according to the stored conversation. */
  isOver: boolean
  /** When the conversation was last read: each read checks again. */
  at: number
}

/** Another tab, a decision or a restart may have started a turn: follow it. */
function useFollowing({ live, state, isDue, isOver, at }: Following): void {
  const { phase, since } = state
  useEffect(() => {
    if (isDue && phase === 'idle' && at > 0) live.follow()
  }, [isDue, phase, at, live])
  // A stream that misses the end of its turn is dropped: the stored conversation is authoritative.
  const isLeft = isOver && at > since
  useEffect(() => {
    if (!isLeft || phase === 'idle') return
    const timer = setTimeout(() => live.leave(), leaveAfterMs)
    return () => clearTimeout(timer)
  }, [isLeft, phase, live])
}

/** Someone else's conversation is read-only. */
function useIsForeign(stored: StoredConversation | undefined): boolean {
  const { principal } = useMe()
  const owner = stored?.detail.principal
  return owner !== undefined && (owner.kind !== principal.kind || owner.id !== principal.id)
}
