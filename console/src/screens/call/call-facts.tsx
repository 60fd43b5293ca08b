import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import type { Api } from '../../api/client.ts'
import { CopyText } from '../../ui/copy.tsx'
import { Panel } from '../../ui/page.tsx'
import { sayDuration } from '../../ui/time.tsx'
import { Caller } from '../calls/caller.tsx'
import styles from './call.module.css'

const exact = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'medium' })

const runtimes: Readonly<Record<string, string>> = {
  chat: 'a chat',
  task: 'a task of an agent',
  subagent: 'another agent',
  room: 'a room',
  webhook: 'a webhook',
  api: 'the API',
  web: 'the console',
  mcp: 'an MCP client',
  cli: 'the command line',
}

/** Who, from where, when, and what it hangs together with. */
export function CallFacts({ call }: { call: Api<'CallRecord'> }) {
  const { agent, sessionId, parentId, principal } = call
  const scheduleId = principal.id.startsWith('schedule:') ? principal.id.slice(9) : undefined
  const facts: [string, ReactNode][] = [
    [
      'Tool',
      <Link key="tool" to="/tools/$name" params={{ name: call.tool }}>
        <code>{call.tool}</code>
      </Link>,
    ],
    ['Caller', <Caller key="caller" principal={principal} />],
    ['Through', runtimes[call.runtime] ?? call.runtime],
  ]
  if (agent !== undefined) {
    facts.push([
      'Agent',
      <Link key="agent" to="/agents/$slug" params={{ slug: agent }}>
        {agent}
      </Link>,
    ])
  }
  if (call.skill !== undefined) facts.push(['Skill', call.skill])
  if (scheduleId !== undefined) {
    facts.push([
      'Schedule',
      <Link key="schedule" to="/schedules" search={{ id: scheduleId }}>
        <code>{scheduleId}</code>
      </Link>,
    ])
  }
  if (sessionId !== undefined) {
    facts.push([
      sessionId.startsWith('conv_') ? 'Conversation' : 'Session',
      <SessionLinks key="session" sessionId={sessionId} agent={agent} />,
    ])
  }
  if (parentId !== undefined) {
    facts.push([
      'Made by',
      <Link key="parent" to="/calls/$id" params={{ id: parentId }}>
        another call
      </Link>,
    ])
  }
  facts.push(['Requested', exact.format(new Date(call.requestedAt))])
  if (call.startedAt !== undefined) {
    const queuedMs = Date.parse(call.startedAt) - Date.parse(call.requestedAt)
    facts.push([
      'Started',
      `${exact.format(new Date(call.startedAt))} · after ${sayDuration(queuedMs)}`,
    ])
  }
  if (call.settledAt !== undefined) facts.push(['Ended', exact.format(new Date(call.settledAt))])
  if (call.attempt > 1) facts.push(['Attempts', String(call.attempt)])
  if (call.cost !== undefined) facts.push(['Cost', `${call.cost} units`])
  return (
    <Panel title="About this call">
      <dl className={styles.facts}>
        {facts.map(([label, value]) => (
          <div key={label}>
            <dt>{label}</dt>
            <dd dir="auto">{value}</dd>
          </div>
        ))}
        <div>
          <dt>Id</dt>
          <dd>
            <CopyText text={call.callId} />
          </dd>
        </div>
      </dl>
    </Panel>
  )
}

function SessionLinks({ sessionId, agent }: { sessionId: string; agent: string | undefined }) {
  const isConversation = sessionId.startsWith('conv_') && agent !== undefined
  return (
    <>
      {isConversation && (
        <>
          <Link to="/chat/{-$agent}/{-$conversation}" params={{ agent, conversation: sessionId }}>
            Open the chat
          </Link>
          {' · '}
        </>
      )}
      <Link to="/calls" search={{ session: sessionId }}>
        Its calls
      </Link>
    </>
  )
}
