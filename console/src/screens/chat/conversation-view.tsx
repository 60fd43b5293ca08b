import { Button } from '@mantine/core'
import { useEffect, useState } from 'react'
import type { Api } from '../../api/client.ts'
import { useMe } from '../../api/me.ts'
import { Failed, Loading } from '../../ui/states.tsx'
import { Tag } from '../../ui/tag.tsx'
import { Composer } from './composer/composer.tsx'
import { MessageView } from './message/message-view.tsx'
import { WaitingElsewhere } from './message/waiting-elsewhere.tsx'
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
  useFollowing(talk, state, stored)
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
          <Messages messages={messages} stored={stored} talk={talk} state={state} agent={agent} />
        </div>
      </section>
      <Foot {...props} talk={talk} state={state} stored={stored} />
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
}

function Messages({ messages, stored, talk, state, agent }: MessagesProps) {
  const last = messages.at(-1)
  const isLive = state.phase !== 'idle'
  const waiting = stored?.detail.waiting ?? []
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
      {!isLive && stored !== undefined && (
        <TurnEnd stored={stored} last={last} onAgain={() => void talk.again(answerIdOf(last))} />
      )}
    </>
  )
}

function answerIdOf(last: Message | undefined): string | undefined {
  return last?.role === 'assistant' ? last.id : undefined
}

type FootProps = ConversationViewProps & Pick<MessagesProps, 'talk' | 'state' | 'stored'>

function Foot({ agent, conversation, trouble, say, talk, state, stored }: FootProps) {
  const me = useMe()
  const owner = stored?.detail.principal
  const isForeign =
    owner !== undefined && (owner.kind !== me.principal.kind || owner.id !== me.principal.id)
  return (
    <div className={styles.foot}>
      <output aria-live="polite">
        {state.phase === 'lost' && (
          <span className={styles.lost}>Connection lost. The agent continues on the server…</span>
        )}
      </output>
      {state.problem !== undefined && (
        <SendProblem problem={state.problem} onDismiss={talk.dismiss} />
      )}
      {isForeign ? (
        <p className={styles.note}>
          This is a conversation of {owner.kind} {owner.id}. You can read it.
        </p>
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

/** Another tab, a decision or a restart may have set a turn going: read along with it. */
function useFollowing(talk: Talk, { phase }: TalkState, stored: StoredConversation | undefined) {
  const isDue = phase === 'idle' && hasNews(stored)
  useEffect(() => {
    if (isDue) talk.follow()
  }, [isDue, talk])
}
