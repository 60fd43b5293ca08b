import { isSamePrincipal } from '../caller.ts'
import { toCallResult } from '../call-result.ts'
import type { ApprovalStart } from '../approvals/approval.ts'
import type { Caller, CallRecord, CallResult } from '../call.ts'
import { type Issue, ToolError } from '../errors.ts'
import { createId } from '../ids.ts'
import type { Permit } from '../limits/permit.ts'
import { compilePermissions } from '../policy/permissions.ts'
import { settingsFor } from '../policy/settings-for.ts'
import type { Scope } from '../policy/scope.ts'
import type { RegisteredTool } from '../registry.ts'
import { createRedactor, emptyRedactor } from '../secrets/redact.ts'
import { type ToCanonical, unwrapCall } from '../search/unwrap-call.ts'
import type { JsonValue, ToolContract } from '../tool.ts'
import { prepareValue } from '../schema/prepare-value.ts'
import { checkSecretFields, hasSecretFields, hideSecretFields } from '../schema/secret-fields.ts'
import { presentError, toCallError } from './record/call-error.ts'
import { type CallFacts, toCallStart, toResult, toSettlement } from './record/call-facts.ts'
import { askPerson, cannotWait } from './ask-person.ts'
import type { NotOpened } from './record/call-recorder.ts'
import { countRefused, refuseBlocked, refuseImpossible, runIn, takePermit } from './call-permit.ts'
import type { ChainedRequest } from './chained-request.ts'
import { isSettled } from '../call-state.ts'
import { decideFlow, isFlowDecided, raiseFlags, toFlowFacts } from './data-flow.ts'
import { findTool, type FoundTool } from './find-tool.ts'
import { fillInput, holdUploads } from './input-files.ts'
import type { PipelinePorts, WorkPort } from './ports.ts'
import { type PreparedCall, prepareCall } from './context/prepare-call.ts'
import { runCall } from './run/run-call.ts'
import { toJsonValue } from './output/to-json-value.ts'
import { toWorkOrder } from './record/work-order.ts'
import { usedByOther } from './used-by-other.ts'

/**
 * One use of a tool, from request to settled result. Never rejects: what goes wrong is in the
 * result. Without a `callId` it was refused before there was a call.
 */
export async function callTool(given: ChainedRequest, ports: PipelinePorts): Promise<CallResult> {
  const leave = ports.running.enter()
  let scope: Scope | undefined
  let entry: RegisteredTool | undefined
  try {
    const request = unwrapCall(given, toCanonicalIn(ports, given.caller))
    const known = ports.scopeFor(request.caller)
    scope = known instanceof Promise ? await known : known
    const found = findTool(request, scope, ports)
    if (found.entry === undefined) {
      throw await ports.refusals.refuse(request.caller, request.tool, found.hiding)
    }
    ;({ entry } = found)
    refuseBlocked(found, request.caller, ports)
    refuseMarks(entry.contract, request.input)
    // At once, unless the input names files.
    const filled = await fillInput(entry.contract, request, ports)
    const input = parseInput(entry, filled.input)
    refuseImpossible(found, request.caller, ports)
    if (isFlowDecided(found, request)) found.decision = await decideFlow(found, request, ports)
    const facts = toFacts(found, request, ports.now())
    await holdUploads(facts, filled.uploads, ports)
    if (found.decision.verdict === 'ask') {
      const answer = await askPerson({ facts, entry, scope, request }, ports)
      if (answer.kind === 'refused') return await refuse(answer, ports)
      if (answer.kind === 'waiting') return await openWaiting(answer, request, ports)
      facts.decision = answer.decision
    }
    refuseUnwaitable(request, entry)
    const runsAfterAnswer = mayRunAfterAnswer(request, facts, ports.work)
    // What runs later takes its permit then.
    const entering = runsAfterAnswer ? undefined : takePermit(found, request, ports)
    const permit = entering && (await entering)
    try {
      const chained = permit === undefined ? request : { ...request, held: permit.held }
      const call = await prepareCall(
        { facts, entry, input, filled, request: chained, runsAfterAnswer, callTool },
        ports,
      )
      return await recordAndRun(call, { request, runsAfterAnswer, permit }, ports)
    } finally {
      permit?.leave()
    }
  } catch (error) {
    const told = await countRefused(error, { caller: given.caller, scope, entry }, ports)
    return { status: 'failed', error: presentError(toCallError(told), emptyRedactor) }
  } finally {
    leave()
  }
}

/** Which tool a name means to this caller. */
export function toCanonicalIn(
  { registry }: Pick<PipelinePorts, 'registry'>,
  { tenant }: Pick<Caller, 'tenant'>,
): ToCanonical {
  return (name) => registry.find(name, tenant)?.contract.name
}

/** The input as the tool's own schema has it; throws invalid_input. */
export function parseInput(entry: RegisteredTool, value: unknown): unknown {
  const parsed = entry.tool.parseInput(value ?? {})
  if (parsed.ok) return parsed.value
  const { contract } = entry.tool
  throw new ToolError('invalid_input', `The input does not fit ${contract.name}`, {
    issues: withoutSecrets(parsed.issues, contract, value),
  })
}

/** What is shown in place of a secret is no input to call with. */
function refuseMarks(contract: ToolContract, input: unknown): void {
  if (hasSecretFields(contract)) checkSecretFields(contract, toJsonValue(input ?? {}).value)
}

/** An author's own message may repeat what was given; of a secret field it must not. */
function withoutSecrets(
  issues: readonly Issue[],
  contract: ToolContract,
  value: unknown,
): readonly Issue[] {
  if (!hasSecretFields(contract)) return issues
  const { values } = hideSecretFields(contract, toJsonValue(value ?? {}).value)
  const redactor = createRedactor(values)
  return issues.map(({ path, message }) => ({ path, message: redactor.redactText(message) }))
}

/** All that is known of the call before anything is decided by people or limits. */
export function toFacts(found: FoundTool, request: ChainedRequest, requestedAt: number): CallFacts {
  const { entry, scope } = found
  const { contract } = entry.tool
  const settings = settingsFor(entry, scope)
  const longest = settings.timeoutMs ?? contract.timeoutMs
  // What was asked, not what the schema made of it: a rerun is parsed again.
  const input = toJsonValue(request.input ?? {}).value
  return {
    callId: createId('call'),
    contract,
    caller: request.caller,
    position: request.position,
    askedDigest: request.askedDigest,
    groupId: request.groupId,
    input,
    preparedInput: request.idempotencyKey === undefined ? undefined : prepared(input, contract),
    decision: found.decision,
    settings,
    flow: toFlowFacts(found, request.rootId),
    // A caller may ask for less time, never for more.
    timeoutMs: Math.max(1, Math.min(request.timeoutMs ?? longest, longest)),
    requestedAt,
    parentId: request.parentId,
    idempotencyKey: request.idempotencyKey,
  }
}

/**
 * What the input means to the tool, where it was written otherwise. Without defaults: these may change
 * between a request and its repetition.
 */
function prepared(input: JsonValue, { inputSchema }: ToolContract): JsonValue | undefined {
  const value = prepareValue(inputSchema, input, { defaults: false }) as JsonValue
  return value === input ? undefined : value
}

/** A call that may not be made is recorded as such: who wanted what, and which rule said no. */
async function refuse(
  { facts, error }: { facts: CallFacts; error: ToolError },
  ports: PipelinePorts,
): Promise<CallResult> {
  const start = toCallStart({ ...facts, idempotencyKey: undefined }, { status: 'running' })
  const settlement = {
    ...toSettlement(
      facts,
      { error: toCallError(error), warnings: [] },
      {
        log: {},
        settledAt: ports.now(),
      },
    ),
    status: 'denied' as const,
  }
  const events = settlement.events.map((event) => ({ ...event, type: 'call.denied' as const }))
  const first = { ...start, startedAt: undefined, events: start.events.slice(0, 1) }
  // A group has to count it before it can count it off again.
  const writer =
    facts.groupId === undefined ? ports.recorder.openLater(first) : await ports.recorder.open(first)
  if ('kind' in writer) throw writer.kind === 'refused' ? writer.error : error
  await writer.settle({ ...settlement, events })
  ports.onSettled({ tool: facts.contract.name, status: 'denied', durationMs: 0 })
  if (facts.groupId !== undefined) ports.work.wake()
  return toResult(settlement)
}

/** Stored with what a person decides on; it holds nothing here until then. */
export async function openWaiting(
  { facts, approval }: { facts: CallFacts; approval: ApprovalStart },
  request: ChainedRequest,
  ports: PipelinePorts,
): Promise<CallResult> {
  const work = toWorkOrder(facts.contract, request)
  await ports.work.prepare(work.queue)
  const waiting = { status: 'waiting', waitingFor: 'approval' } as const
  const opened = await ports.recorder.open(
    toCallStart(facts, { ...waiting, work, deadlineAt: approval.expiresAt, approval }),
  )
  if ('kind' in opened) return joinEarlier(opened, { facts, request }, ports)
  tellId(request, facts.callId)
  ports.work.wake()
  return { callId: facts.callId, ...waiting, approvalId: approval.id }
}

/**
 * Work that takes long answers first. Not for another tool, which is there to use the result, except
 * where that can only come from outside.
 */
function mayRunAfterAnswer(
  request: ChainedRequest,
  { contract, settings }: CallFacts,
  { isRunner }: Pick<WorkPort, 'isRunner'>,
): boolean {
  if (contract.execution === 'external') return true
  if ((request.depth ?? 0) > 0) return false
  return (
    ((settings.execution ?? contract.execution) === 'background' && isRunner) ||
    request.respondAsync === true ||
    request.startAt !== undefined ||
    request.priority !== undefined
  )
}

/** A call that can only end from outside needs somebody who can wait for that. */
function refuseUnwaitable(request: ChainedRequest, { contract }: RegisteredTool): void {
  if (contract.execution !== 'external' || request.mayWait !== false) return
  throw cannotWait(`${contract.name} is completed from outside`, request.heldBy)
}

/** Effects, keys and background work are on disk before anything runs; plain reads are written with their end. */
async function recordAndRun(
  call: PreparedCall,
  how: { request: ChainedRequest; runsAfterAnswer: boolean; permit: Permit | undefined },
  ports: PipelinePorts,
): Promise<CallResult> {
  const { request, runsAfterAnswer, permit } = how
  if (runsAfterAnswer) return enqueue(call, request, ports)
  const { facts } = call
  const start = toCallStart(facts, { status: 'running' })
  const mustBeOnDisk =
    facts.contract.effect !== 'read' ||
    facts.idempotencyKey !== undefined ||
    facts.groupId !== undefined
  try {
    if (!mustBeOnDisk) {
      const busy = ports.recorder.ready()
      if (busy !== undefined) await busy
      const writer = ports.recorder.openLater(start)
      tellId(request, facts.callId)
      return await runIn(permit, call, () =>
        runCall(call, { writer, durable: request.durable === true }, ports),
      )
    }
    const opened = await ports.recorder.open(start)
    if ('kind' in opened) return await joinEarlier(opened, { facts, request }, ports)
    tellId(request, facts.callId)
    return await runIn(permit, call, () => runCall(call, { writer: opened }, ports))
  } finally {
    call.control.release()
  }
}

/** Stored with its job in one transaction; whichever node has room runs it. */
async function enqueue(
  call: PreparedCall,
  request: ChainedRequest,
  ports: PipelinePorts,
): Promise<CallResult> {
  const { facts } = call
  call.control.release()
  ports.work.checkRoom(facts.caller.tenant)
  const work = toWorkOrder(facts.contract, request)
  await ports.work.prepare(work.queue)
  const opened = await ports.recorder.open(toCallStart(facts, { status: 'queued', work }))
  if ('kind' in opened) return joinEarlier(opened, { facts, request }, ports)
  tellId(request, facts.callId)
  const { contract, settings } = facts
  const isOwnKind =
    (settings.execution ?? contract.execution) === 'background' && request.startAt === undefined
  return { callId: facts.callId, status: isOwnKind ? 'running' : 'queued' }
}

function tellId(request: ChainedRequest, callId: string): void {
  try {
    request.onCall?.(callId)
  } catch {
    // Somebody who can't take the id still gets the result.
  }
}

/** The key was used before: the same call and its result, also while it still runs, or a refusal. */
async function joinEarlier(
  earlier: NotOpened,
  { facts, request }: { facts: CallFacts; request: ChainedRequest },
  ports: PipelinePorts,
): Promise<CallResult> {
  if (earlier.kind === 'refused') throw earlier.error
  if (earlier.kind === 'unconfirmed') return toUnconfirmed(facts.callId, earlier.cause)
  if (earlier.kind === 'mismatch') {
    throw new ToolError(
      'idempotency_mismatch',
      'This idempotency key was used before with other input',
      {
        fix: 'Send the same input again, or make it a request of its own: with a new key, or as a new tool call of the model.',
        details: { callId: earlier.callId },
      },
    )
  }
  const { call } = earlier
  if (!mayJoin(request.caller, call)) {
    throw new ToolError('idempotency_mismatch', usedByOther, {
      fix: 'Use a key that nobody else thinks of, such as a UUID.',
    })
  }
  // What another session has read is seen by this one now.
  await raiseFlags({ ...facts, callId: call.callId }, ports)
  tellId(request, call.callId)
  // Somebody who asks again while a person thinks about it is told so, not kept waiting.
  const isToldNow = call.status === 'waiting' || request.respondAsync === true
  if (isSettled(call.status) || isToldNow) return toCallResult(call)
  const here = ports.running.find(call.callId)
  if (here !== undefined) return here.done
  return ports.waitForCall(call.tenant, call.callId, request.signal)
}

/** It keeps its id, under which its caller finds out what became of it. */
function toUnconfirmed(callId: string, cause: unknown): CallResult {
  const message = 'The database broke off before it confirmed the call; it may still run'
  const fix = `Look up call ${callId} before you call again: toolcrib call --watch ${callId}`
  const error = new ToolError('record_failed', message, { cause, fix, retryable: false })
  return { callId, status: 'failed', error: toCallError(error) }
}

/** A key is no way to the results of others: they are for those who may read them anyway. */
function mayJoin({ principal, permissions }: Caller, call: CallRecord): boolean {
  return (
    isSamePrincipal(principal, call.principal) || compilePermissions(permissions).has('audit.read')
  )
}
