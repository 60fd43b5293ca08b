import type { useNames } from '../../api/use-names.ts'
import type { WorkspaceFacts } from '../../workspace/workspace-types.ts'

/** `analyst for Dana`, or the person alone where no agent takes part. Also the title of its screen. */
export function describeOwner(
  { agent, principal }: WorkspaceFacts,
  describeName: ReturnType<typeof useNames>,
): string {
  const person = describeName(principal)
  if (agent !== undefined) return `${agent} for ${person}`
  return person === 'you' ? 'Your workspace' : `Workspace of ${person}`
}
