import { Link } from '@tanstack/react-router'
import type { WorkspaceFacts } from '../../workspace/workspace-types.ts'

/** The conversation that a workspace belongs to, or the calls of its session. */
export function SessionLink({ workspace: { sessionId, agent } }: { workspace: WorkspaceFacts }) {
  if (sessionId === undefined) return <span>—</span>
  if (agent !== undefined && sessionId.startsWith('conv_')) {
    return (
      <Link to="/chat/{-$agent}/{-$conversation}" params={{ agent, conversation: sessionId }}>
        Conversation
      </Link>
    )
  }
  return (
    <Link to="/calls" search={{ session: sessionId }}>
      Calls
    </Link>
  )
}
