import { Tag } from '../../ui/tag.tsx'
import type { Tone } from '../../ui/tag.tsx'
import type { McpServer } from './server-queries.ts'

interface Look {
  tone: Tone
  label: string
  isBusy?: boolean
}

const looks: Record<McpServer['state'], Look> = {
  connected: { tone: 'allow', label: 'Connected' },
  connecting: { tone: 'iris', label: 'Connecting', isBusy: true },
  idle: { tone: 'plain', label: 'Idle' },
  down: { tone: 'deny', label: 'Down' },
  unauthorized: { tone: 'ask', label: 'Needs sign-in' },
  disabled: { tone: 'plain', label: 'Off' },
  closed: { tone: 'deny', label: 'Closed' },
}

/** The state of a server as a tag. */
export function ServerStateTag({ state }: { state: McpServer['state'] }) {
  const { tone, label, isBusy = false } = looks[state]
  return (
    <Tag tone={tone} isBusy={isBusy}>
      {label}
    </Tag>
  )
}

/** The state as a sentence. */
export function describeState({ state, reason }: Pick<McpServer, 'state' | 'reason'>): string {
  if (reason !== undefined) return reason
  switch (state) {
    case 'connected':
      return 'Connected.'
    case 'connecting':
      return 'Connecting.'
    case 'idle':
      return 'Idle. The next call starts it.'
    case 'down':
      return 'Not reachable. It is retried automatically.'
    case 'unauthorized':
      return 'Someone has to sign in.'
    case 'disabled':
      return 'Turned off.'
    case 'closed':
      return 'The configuration no longer allows it.'
  }
}

/** The program or URL of a server. */
export function formatPlace({ command, args = [], url, transport }: McpServer): string {
  if (command !== undefined) return [command, ...args].join(' ')
  return url ?? transport
}
