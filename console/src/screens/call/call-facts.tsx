import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import type { Api } from '../../api/client.ts'
import { useCan } from '../../api/me.ts'
import { CopyText } from '../../ui/copy.tsx'
import { Fact, Facts } from '../../ui/facts.tsx'
import { Panel } from '../../ui/page.tsx'
import { formatDuration } from '../../ui/time.tsx'
import { Caller } from '../calls/caller.tsx'
import { runtimes } from './event-words.ts'
import { formatExactDateTime } from '../../ui/format/format-date-time.ts'
import { formatNumber } from '../../ui/format/locale.ts'

/** The caller, the door, the times, and related calls. */
export function CallFacts({ call }: { call: Api<'CallRecord'> }) {
  const facts = [...whoOf(call), ...belongsTo(call), ...whenOf(call)]
  return (
    <Panel title="About this call">
      <Facts>
        {facts.map(([label, value]) => (
          <Fact key={label} label={label}>
            {value}
          </Fact>
        ))}
        <Fact label="Id">
          <CopyText text={call.callId} />
        </Fact>
      </Facts>
    </Panel>
  )
}

type Fact = readonly [string, ReactNode]

function whoOf(call: Api<'CallRecord'>): Fact[] {
  const { agent, skill } = call
  const facts: Fact[] = [
    [
      'Tool',
      <Link key="tool" to="/tools/$name" params={{ name: call.tool }}>
        <code>{call.tool}</code>
      </Link>,
    ],
    ['Caller', <Caller key="caller" principal={call.principal} />],
    ['Through', runtimes[call.runtime] ?? call.runtime],
  ]
  if (call.toolVersion !== undefined) facts.push(['Tool version', call.toolVersion])
  if (agent !== undefined) {
    facts.push(['Agent', <AgentLink key="agent" slug={agent} />])
  }
  return skill === undefined ? facts : [...facts, ['Skill', skill]]
}

/** People who can't open the page of an agent get no link to it. */
function AgentLink({ slug }: { slug: string }) {
  const mayRead = useCan('policy.read')
  if (!mayRead) return slug
  return (
    <Link to="/agents/$slug" params={{ slug }}>
      {slug}
    </Link>
  )
}

/** The session, the parent call and other related records. */
function belongsTo(call: Api<'CallRecord'>): Fact[] {
  const { agent, principal, sessionId, parentId, purpose, undoes, rerunOf, rerunFrom } = call
  const facts: Fact[] = []
  if (purpose !== undefined) facts.push(['Purpose', `${purpose}, without effects`])
  if (undoes !== undefined) {
    const link = (
      <Link to="/calls/$id" params={{ id: undoes }}>
        another call
      </Link>
    )
    facts.push(['Undoes', link])
  }
  if (rerunOf !== undefined) {
    const link = (
      <span>
        <Link to="/calls/$id" params={{ id: rerunOf }}>
          another call
        </Link>
        {rerunFrom !== undefined && ` from step ${rerunFrom}`}
      </span>
    )
    facts.push(['Runs again', link])
  }
  if (principal.id.startsWith('schedule:')) {
    const id = principal.id.slice('schedule:'.length)
    const link = (
      <Link to="/schedules" search={{ id }}>
        <code>{id}</code>
      </Link>
    )
    facts.push(['Schedule', link])
  }
  if (sessionId !== undefined) {
    const label = sessionId.startsWith('conv_') ? 'Conversation' : 'Session'
    facts.push([label, <SessionLinks key="session" sessionId={sessionId} agent={agent} />])
  }
  if (parentId !== undefined) {
    const link = (
      <Link to="/calls/$id" params={{ id: parentId }}>
        another call
      </Link>
    )
    facts.push(['Started by', link])
  }
  return facts
}

function whenOf(call: Api<'CallRecord'>): Fact[] {
  const { requestedAt, startedAt, settledAt, attempt, cost } = call
  const facts: Fact[] = [['Requested', formatExactDateTime(requestedAt)]]
  if (startedAt !== undefined) {
    const queued = formatDuration(Date.parse(startedAt) - Date.parse(requestedAt))
    facts.push(['Started', `${formatExactDateTime(startedAt)} · after ${queued}`])
  }
  if (settledAt !== undefined) facts.push(['Ended', formatExactDateTime(settledAt)])
  if (attempt > 1) facts.push(['Attempts', String(attempt)])
  if (cost !== undefined) facts.push(['Cost', `${formatNumber(cost)} units`])
  return facts
}

function SessionLinks({ sessionId, agent }: { sessionId: string; agent: string | undefined }) {
  const isConversation = sessionId.startsWith('conv_') && agent !== undefined
  return (
    <>
      {isConversation && (
        <>
          <Link to="/chat/{-$agent}/{-$conversation}" params={{ agent, conversation: sessionId }}>
            Open chat
          </Link>
          {' · '}
        </>
      )}
      <Link to="/calls" search={{ session: sessionId }}>
        All calls
      </Link>
    </>
  )
}
