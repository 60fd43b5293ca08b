import { isSettled } from '../../core/call-state.ts'
import type { CallQuery } from '../../core/call-log.ts'
import type { Caller, CallRecord } from '../../core/kernel/call.ts'
import { isSamePrincipal } from '../../core/kernel/caller.ts'
import { ToolError } from '../../core/kernel/errors.ts'
import { agentFor, isInReach } from '../../core/operations/agent-reach.ts'
import { holds } from '../../core/operations/require-permission.ts'
import type { CallOperationParts } from './parts.ts'

type FindParts = Pick<CallOperationParts, 'recorder'> & {
  calls: Pick<CallOperationParts['calls'], 'find'>
}

/** A call that the caller may see. Foreign, hidden and missing ids get the same answer. */
export async function findVisible(
  parts: FindParts,
  { caller, id }: { caller: Caller; id: string },
  mayKnow = maySee,
): Promise<CallRecord> {
  const call = await findLatest(parts, caller.tenant, id)
  if (call !== undefined && isInReach(caller, call) && mayKnow(caller, call)) return call
  throw new ToolError('not_found', `There is no call ${JSON.stringify(id.slice(0, 100))}`, {
    fix: 'toolcrib calls lists them.',
  })
}

/** The caller may know of a read that has just started or ended before it is on disk. */
async function findLatest(
  { calls, recorder }: FindParts,
  tenant: string,
  id: string,
): Promise<CallRecord | undefined> {
  // Before the lookup, because the recorder forgets the call once its end is written.
  const written = recorder.ensure(id)
  const call = await calls.find(tenant, id)
  if (call !== undefined && isSettled(call.status)) return call
  return (await written) ? calls.find(tenant, id) : call
}

/** Narrows a query to the calls the caller may see. A renamed tool keeps its history. */
export function narrow(
  { registry }: Pick<CallOperationParts, 'registry'>,
  caller: Caller,
  query: CallQuery,
): CallQuery {
  const { tool } = query
  const formerNames = tool === undefined ? undefined : registry.find(tool)?.contract.aliases
  const agent = agentFor(caller, query.agent)
  return {
    ...query,
    ...(formerNames !== undefined && { formerNames }),
    ...(!holds(caller, 'audit.read') && { principal: caller.principal.id }),
    ...(agent !== undefined && { agent }),
  }
}

export function isOwn({ principal }: Caller, call: CallRecord): boolean {
  return isSamePrincipal(call.principal, principal)
}

/** Without `audit.read` a principal sees only its own. */
function maySee(caller: Caller, call: CallRecord): boolean {
  return isOwn(caller, call) || holds(caller, 'audit.read')
}

export function maySeeOrManage(caller: Caller, call: CallRecord): boolean {
  return maySee(caller, call) || holds(caller, 'calls.manage')
}
