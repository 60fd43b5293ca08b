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
import type { EventPayloads } from '../events/event.ts'
import { dropArtifact, finishReport } from './finish-report.ts'
import { createOutsideRedactors } from './outside-redactor.ts'

/** The dependencies for completing a call from outside. */
export interface CompletionPorts extends Pick<
  PipelinePorts,
  'now' | 'registry' | 'artifacts' | 'limits' | 'work' | 'onSettled'
> {
  calls: Pick<CallLog, 'findByToken' | 'spendToken' | 'settle' | 'findWithInput'>
  events: Pick<EventLog, 'record'>
  secrets: Pick<SecretVault, 'read' | 'list'>
  groups: Pick<GroupStore, 'find'>
}

/** The holder of a call's token. */
export interface TokenHolder {
  callId: string
  token: string
}

/** How much of a late report is kept in the log. */
const lateBytes = 16_384

/**
 * Ends a call by its completion token. The report is read only once the token is verified, because
 * it may be large. The first to end the call wins, even while the tool is still handing over the
 * work.
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
  // The token may have expired with its attempt in the meantime: then this finds nothing.
  throw alreadySettled((await findByHolder(holder, ports)).call)
}

/**
 * The same for a call whose work was done inside the server, by a known worker. False if the call
 * had already ended; its result then stays.
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

/** How it would be run does not matter for how it ends. */
const outsideFacts = {
  execution: 'external',
  isRepeatable: true,
  wakes: 0,
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
  // Others may have ended since: the group is complete for all of them, but only one continues it.
  const continued = group?.settledBy === callId
  return { accepted: true, pending: group?.pending ?? 0, continued }
}

/** For late reports: only their size is recorded, and nothing is stored. */
const keepsNothing: ArtifactStore = {
  put: async (_tenant, _callId, content) => {
    const bytes = 'text' in content ? utf8Length(content.text) : content.bytes.length
    return { id: 'not kept', bytes, mediaType: content.mediaType }
  },
  read: async () => undefined,
  remove: async () => undefined,
}

/**
 * The call that this token is for. Unknown, foreign, not started, of another attempt: the same
 * answer.
 */
export async function findByHolder(
  { callId, token }: TokenHolder,
  { calls }: { calls: Pick<CallLog, 'findByToken'> },
): Promise<{ call: StoredCall; tokenHash: string }> {
  const tokenHash = await hashToken(token)
  const call = await calls.findByToken(callId, tokenHash)
  if (call !== undefined) return { call, tokenHash }
  throw new ToolError('not_found', 'No call waits to be completed with this id and token', {
    fix: 'Use the url and the token that the tool was given for this call and attempt.',
  })
}

/** The error for a report on a call that has ended. */
export function alreadySettled({ callId, status }: StoredCall): ToolError {
  return new ToolError(
    'already_settled',
    `${callId} is already ${status}, and its result does not change`,
    {
      fix: 'Stop working on it.',
    },
  )
}

async function settle(
  call: StoredCall,
  finished: FinishedOutput,
  { tokenHash, ports, cost = 0 }: { tokenHash?: string; ports: CompletionPorts; cost?: number },
): Promise<boolean> {
  const requestedAt = Date.parse(call.requestedAt)
  const { callId, undoes } = call
  const facts = { callId, caller: callerOf(call), requestedAt, undoes }
  const contract = ports.registry.find(call.tool, call.tenant)?.contract
  const details = { log: {}, settledAt: ports.now(), attempt: call.attempt, hadJob: true, contract }
  const settlement = toSettlement(facts, finished, details)
  // Shown with the call but not in its event: the children have reported it, and it must count only
  // once.
  const total = cost + (settlement.cost ?? 0)
  const shown = total > 0 ? { cost: total } : {}
  if (!(await ports.calls.settle({ ...settlement, ...shown, tokenHash }))) return false
  const durationMs = settlement.settledAt - requestedAt
  ports.onSettled({ tool: call.tool, status: settlement.status, durationMs })
  return true
}

/** A late report is kept as an event, once per token, and changes nothing. */
async function recordLate(
  call: StoredCall,
  { output, error, warnings }: FinishedOutput,
  { tokenHash, ports }: { tokenHash: string; ports: CompletionPorts },
): Promise<void> {
  if (!(await ports.calls.spendToken(call.tenant, call.callId, tokenHash))) return
  const status = error === undefined ? 'completed' : 'failed'
  const data: EventPayloads['completion.late'] = { callId: call.callId, tool: call.tool, status }
  if (output !== undefined) data.output = boundOutput(output, lateBytes).output
  if (error !== undefined) data.error = { code: error.code, message: error.message }
  if (warnings.length > 0) data.warnings = [...warnings]
  const { tenant, principal, sessionId, agent } = call
  const events = [{ type: 'completion.late' as const, at: ports.now(), data }]
  await ports.events.record([{ tenant, principal, sessionId, agent, events }])
}
