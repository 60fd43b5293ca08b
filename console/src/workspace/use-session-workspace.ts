import { useQuery } from '@tanstack/react-query'
import { sessionWorkspaceQuery } from './workspace-queries.ts'
import type { WorkspaceFacts } from './workspace-types.ts'

/** The workspace of a session, if it has one that you may see. */
export function useSessionWorkspace(sessionId: string | undefined): WorkspaceFacts | undefined {
  const { data } = useQuery({
    ...sessionWorkspaceQuery(sessionId ?? ''),
    enabled: sessionId !== undefined,
  })
  return data ?? undefined
}
