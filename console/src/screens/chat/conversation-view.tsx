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
import type { Talk, TalkState } from './turn/talk.ts'
import { hasNews, mergeMessages, useTalk, useTalkState } from './turn/use-talk.ts'
import { useStickToEnd } from './use-stick-to-end.ts'
import { Welcome } from './welcome.tsx'
import styles from './chat.module.css'

interface ConversationViewProps {
  agent: string
  conversation: string | undefined
  model: string
  /** Why the agent could not answer now. */
  trouble: Api<'CallError'> | undefined
  say: string | undefined
}

/** What was said, what comes, and what to say next. */
export function ConversationView(props: ConversationViewProps) {
  const { agent, conversation } = props
  const talk = useTalk(agent, conversation)
  const state = useTalkState(talk)
  const [pages, setPages] = useState(1)
  const query = useConversation(conversation, pages)
  const stored = query.data
  const isForeign = useIsForeign(stored)
  useFollowing({
    talk,
    state,
    isDue: !isForeign && hasNews(stored),
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
            talk={talk}
            state={state}
            agent={agent}
            isForeign={isForeign}
          />
        </div>
      </section>
      <Foot {...props} talk={talk} state={state} stored={stored} isForeign={isForeign} />
    </>
  )
}

/** Nothing was said yet, or what was said is on its way. */
function Nothing(props: ConversationViewProps) {
  if (props.conversation === undefined) return <Welcome {...props} />
  return <Loading rows={4} height={56} />
}

interface MessagesProps {
  messages: readonly Message[]
  stored: StoredConversation | undefined
  talk: Talk
  state: TalkState
  agent: string
  /** Somebody else's: there to be read. */
  isForeign: boolean
}

function Messages({ messages, stored, talk, state, agent, isForeign }: MessagesProps) {
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
        <TurnEnd stored={stored} last={last} onAgain={() => void talk.again(answerIdOf(last))} />
      )}
    </>
  )
}

/** The same list every time, so that what hangs on it is not drawn anew. */
const nothing: StoredConversation['detail']['waiting'] = []

function answerIdOf(last: Message | undefined): string | undefined {
  return last?.role === 'assistant' ? last.id : undefined
}

type FootProps = ConversationViewProps &
  Pick<MessagesProps, 'talk' | 'state' | 'stored'> & { isForeign: boolean }

function Foot({ agent, conversation, trouble, say, talk, state, stored, isForeign }: FootProps) {
  const owner = stored?.detail.principal
  return (
    <div className={styles.foot}>
      <output>
        {state.phase === 'lost' ? (
          <span className={styles.lost}>Connection lost. The agent continues on the server…</span>
        ) : (
          <span className="visually-hidden">{sayPhase(state, stored)}</span>
        )}
      </output>
      {state.problem !== undefined && (
        <SendProblem problem={state.problem} onDismiss={talk.dismiss} />
      )}
      {isForeign ? (
        <ForeignNote owner={owner} />
      ) : (
        <Composer
          key={`${talk.key} ${say ?? ''}`}
          talk={talk}
          agent={agent}
          conversation={conversation}
          stored={stored}
          say={say}
          isBroken={trouble !== undefined}
        />
      )}
    </div>
  )
}

function ForeignNote({ owner }: { owner: Api<'Principal'> | undefined }) {
  const sayName = useNames()
  return (
    <p className={styles.note}>
      This conversation belongs to {owner === undefined ? 'someone else' : sayName(owner)}. You can
      read it.
    </p>
  )
}

function sayPhase({ phase }: TalkState, stored: StoredConversation | undefined): string {
  if (phase !== 'idle') return 'The agent is answering.'
  const waiting = stored?.detail.waiting.length ?? 0
  return waiting === 0 ? '' : 'The agent asks for a decision.'
}

/** The end of a stream is on its way when the record already says so. */
const leaveAfterMs = 1500

interface Following {
  talk: Talk
  state: TalkState
  isDue: boolean
  /** Nothing runs, as far as is stored. */
  isOver: boolean
  /** When what is stored was read: every reading is another reason to look. */
  at: number
}

/** Another tab, a decision or a restart may have set a turn going: read along with it. */
function useFollowing({ talk, state, isDue, isOver, at }: Following): void {
  const { phase, since } = state
  useEffect(() => {
    if (isDue && phase === 'idle' && at > 0) talk.follow()
  }, [isDue, phase, at, talk])
  // A stream that does not notice the end of its turn is left: what is stored is the truth.
  const isLeft = isOver && at > since
  useEffect(() => {
    if (!isLeft || phase === 'idle') return
    const timer = setTimeout(() => talk.leave(), leaveAfterMs)
    return () => clearTimeout(timer)
  }, [isLeft, phase, talk])
}

/** Of somebody else: there to be read, not to be talked in. */
function useIsForeign(stored: StoredConversation | undefined): boolean {
  const { principal } = useMe()
  const owner = stored?.detail.principal
  return owner !== undefined && (owner.kind !== principal.kind || owner.id !== principal.id)
}
