import type { CallResult } from '../../../core/kernel/call.ts'
import type { ClientAbility } from '../../../core/kernel/context/caller-client.ts'
import { missingAbilities } from '../calls/client-abilities.ts'
import { fromCallError } from '../protocol-error.ts'
import type { McpEra } from '../results/mcp-output.ts'

/** Throws for mistakes of the client, which are not results of the tool. */
export function throwRefusal(
  { error, callId }: CallResult,
  missing: ReadonlySet<ClientAbility>,
  era: McpEra,
): void {
  if (error?.code === 'tool_not_found' && callId === undefined) throw fromCallError(error)
  const isUnable = error?.code === 'client_unable' && missing.size > 0
  if (isUnable && era === 'modern') throw missingAbilities(missing)
}
