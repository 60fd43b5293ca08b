import type { CallRecord } from '../kernel/call.ts'
import type { CompletionReceipt, CompletionReport } from './completion.ts'
import { ToolError } from '../kernel/errors.ts'
import { createUuid } from '../kernel/ids.ts'
import { boundOutput } from '../pipeline/output/bound-output.ts'
import { toSettlement } from '../pipeline/record/call-facts.ts'
import { isSettled } from '../call-state.ts'
import { hashToken } from '../pipeline/context/completion-token.ts'
import type { FinishedOutput } from '../pipeline/output/finish-output.ts'
import type { PipelinePorts } from '../pipeline/ports.ts'
import { callerOf } from '../pipeline/stored-request.ts'
import type { ArtifactStore } from '../artifact-store.ts'
import type { GroupStore } from './group-store.ts'
import type { CallLog, StoredCall } from '../call-log.ts'
import type { EventLog } from '../events/event-log.ts'
import type { SecretVault } from '../vault-ports.ts'
import { utf8Length } from '../kernel/text/utf8.ts'
import type { JsonValue } from '../kernel/tool.ts'
import { dropArtifact, finishReport } from './finish-report.ts'
import { createOutsideRedactors } from './outside-redactor.ts'

/** What ending a call from outside needs. */
export interface CompletionPorts extends Pick<
  PipelinePorts,
  'now' | 'registry' | 'artifacts' | 'limits' | 'work' | 'onSettled'
> {
  calls: Pick<CallLog, 'findByToken' | 'spendToken' | 'settle' | 'findWithInput'>
  events: Pick<EventLog, 'record'>
  secrets: Pick<SecretVault, 'read' | 'list'>
  groups: Pick<GroupStore, 'find'>
}

/** The one who holds a call's token. */
export interface TokenHolder {
  callId: string
  token: string
}

/** So much of a report that came too late stands in the log. */
const lateBytes = 16_384

/**
 * Ends a call by its completion token. The report is read only once the token has turned out right:
 * it may be large. The first to end the call wins, whoever that is, also while the tool still hands
 * the work over.
 */
export async function completeCall(
  holder: TokenHolder,
  read: () => Promise<CompletionReport>,
  ports: CompletionPorts,
): Promise<CompletionReceipt> {
  const { call, tokenHash } = await findByHolder(holder, ports)
  const report = await read()
  const redactors = await createOutsideRedactors(call, holder.token, ports)
  const isLate = isSettled(call.status)
  const artifacts = isLate ? keepsNothing : ports.artifacts
  const finished = await finishReport(call, report, { redactors, ports: { ...ports, artifacts } })
  if (!isLate && (await settle(call, finished, { tokenHash, ports }))) {
    ports.work.wake()
    return toReceipt(call, ports)
  }
  await dropArtifact(call, finished.artifact, { artifacts })
  await recordLate(call, finished, { tokenHash, ports })
  // The token may have ended with its attempt meanwhile: then this finds nothing any more.
  throw alreadySettled((await findByHolder(holder, ports)).call)
}

/**
 * The same for a call whose work was done in the crib itself, by whoever is known to have done it.
 * False where it had ended, which then stays so.
 */
export async function completeInside(
  record: CallRecord,
  { cost, ...report }: CompletionReport & { cost?: number },
  ports: CompletionPorts,
): Promise<boolean> {
  const call: StoredCall = { ...record, ...outsideFacts }
  const redactors = await createOutsideRedactors(call, createUuid(), ports)
  const finished = await finishReport(call, report, { redactors, ports })
  if (await settle(call, finished, { ports, cost })) {
    ports.work.wake()
    return true
  }
  await dropArtifact(call, finished.artifact, ports)
  return false
}

/** How it would be run says nothing about how it ends. */
const outsideFacts = {
  execution: 'external',
  isRepeatable: true,
  timeoutMs: 0,
  hasWaited: false,
  isApproved: false,
  takeovers: 0,
  failures: 0,
} as const

async function toReceipt(
  { tenant, groupId, callId }: StoredCall,
  { groups }: CompletionPorts,
): Promise<CompletionReceipt> {
  const group = groupId === undefined ? undefined : await groups.find(tenant, groupId)
  // Others may have ended since: the group is complete for all of them, and continues by one.
  const continued = group?.settledBy === callId
  return { accepted: true, pending: group?.pending ?? 0, continued }
}

/** For what comes too late: its size is told, and nothing is written. */
const keepsNothing: ArtifactStore = {
  put: async (_tenant, _callId, content) => {
    const bytes = 'text' in content ? utf8Length(content.text) : content.bytes.length
    return { id: 'not kept', bytes, mediaType: content.mediaType }
  },
  read: async () => undefined,
  remove: async () => undefined,
}

/** The call that this token is for. Unknown, foreign, not started, another attempt's: one answer. */
export async function findByHolder(
  { callId, token }: TokenHolder,
  { calls }: { calls: Pick<CallLog, 'findByToken'> },
): Promise<{ call: StoredCall; tokenHash: string }> {
  const tokenHash = await hashToken(token)
  const call = await calls.findByToken(callId, tokenHash)
  if (call !== undefined) return { call, tokenHash }
  throw new ToolError('not_found', 'No call waits to be completed with this id and token', {
    fix: 'Use the url and the token that the tool was given for this very call and attempt.',
  })
}

/** The answer to whoever reports on a call that has ended. */
export function alreadySettled({ callId, status }: StoredCall): ToolError {
  return new ToolError('already_settled', `${callId} is ${status} already, and stays so`, {
    fix: 'Stop working on it.',
  })
}

async function settle(
  call: StoredCall,
  finished: FinishedOutput,
  { tokenHash, ports, cost = 0 }: { tokenHash?: string; ports: CompletionPorts; cost?: number },
): Promise<boolean> {
  const requestedAt = Date.parse(call.requestedAt)
  const facts = { callId: call.callId, caller: callerOf(call), requestedAt }
  const contract = ports.registry.find(call.tool, call.tenant)?.contract
  const details = { log: {}, settledAt: ports.now(), attempt: call.attempt, hadJob: true, contract }
  const settlement = toSettlement(facts, finished, details)
  // Shown with the call, and not in its event: whoever caused it has told it, and it counts once.
  const total = cost + (settlement.cost ?? 0)
  const shown = total > 0 ? { cost: total } : {}
  if (!(await ports.calls.settle({ ...settlement, ...shown, tokenHash }))) return false
  const durationMs = settlement.settledAt - requestedAt
  ports.onSettled({ tool: call.tool, status: settlement.status, durationMs })
  return true
}

/** What came too late is kept as an event, once a token, and changes nothing. */
async function recordLate(
  call: StoredCall,
  { output, error, warnings }: FinishedOutput,
  { tokenHash, ports }: { tokenHash: string; ports: CompletionPorts },
): Promise<void> {
  if (!(await ports.calls.spendToken(call.tenant, call.callId, tokenHash))) return
  const data: Record<string, JsonValue> = { callId: call.callId, tool: call.tool }
  data['status'] = error === undefined ? 'completed' : 'failed'
  if (output !== undefined) data['output'] = boundOutput(output, lateBytes).output
  if (error !== undefined) data['error'] = { code: error.code, message: error.message }
  if (warnings.length > 0) data['warnings'] = [...warnings]
  const { tenant, principal, sessionId, agent } = call
  const events = [{ type: 'completion.late' as const, at: ports.now(), data }]
  await ports.events.record([{ tenant, principal, sessionId, agent, events }])
}
