import { createId } from '../kernel/ids.ts'
import { settingsFor } from '../policy/settings-for.ts'
import { prepareValue } from '../schema/prepare-value.ts'
import type { JsonValue, ToolContract } from '../kernel/tool.ts'
import type { ChainedRequest, StepFacts } from './chained-request.ts'
import { toFlowFacts } from './data-flow.ts'
import type { ResolvedTool } from './find-tool.ts'
import { toJsonValue } from './output/to-json-value.ts'
import type { CallFacts } from './record/call-facts.ts'

/**
 * The facts of a call before approval or limits apply. A stored call keeps its id and its times.
 */
export function toFacts(found: ResolvedTool, request: ChainedRequest, now: number): CallFacts {
  const { entry, scope } = found
  const { stored } = request
  const { contract } = entry.tool
  const settings = settingsFor(entry, scope)
  // The original input, not the parsed one: a rerun parses it again.
  const input = toJsonValue(request.input ?? {}).value
  const idempotencyKey = request.idempotencyKey ?? stepKeyFor(found, request)
  return {
    callId: stored?.callId ?? createId('call'),
    contract,
    toolVersion: entry.version,
    caller: request.caller,
    position: request.position,
    askedDigest: request.askedDigest,
    groupId: request.groupId,
    input,
    preparedInput: idempotencyKey === undefined ? undefined : prepared(input, contract),
    decision: found.decision,
    settings,
    flow: toFlowFacts(found, request.rootId),
    timeoutMs: toTimeoutMs(request, settings.timeoutMs ?? contract.timeoutMs),
    requestedAt: stored?.requestedAt ?? now,
    parentId: request.parentId,
    purpose: request.shield?.purpose,
    undoes: request.undoes,
    idempotencyKey,
    ...(request.rerun && toRerunFacts(request)),
    ...(request.isTrial && toTrialFacts(request)),
    ...toMore(entry, request, now),
  }
}

/** A caller may request less time, never more. */
function toTimeoutMs({ stored, timeoutMs }: ChainedRequest, longest: number): number {
  return stored?.timeoutMs ?? Math.max(1, Math.min(timeoutMs ?? longest, longest))
}

/** The facts of steps and of what makes them. */
function toMore(
  entry: ResolvedTool['entry'],
  request: ChainedRequest,
  now: number,
): Partial<CallFacts> | undefined {
  if (request.step === undefined && !entry.tool.isResumable) return undefined
  return {
    ...(entry.tool.isResumable && toResuming(entry, request, now)),
    ...(request.step && toStepFacts(request, request.step)),
  }
}

/** It runs the version that the other call ran, even if another is published before it starts. */
function toRerunFacts({ rerun, candidate, stored }: ChainedRequest): Partial<CallFacts> {
  return { rerun, ...(candidate && stored === undefined && { isPinned: true }) }
}

/** Its source keeps the draft, so that it can wait like any other call. */
function toTrialFacts({ candidate }: ChainedRequest): Partial<CallFacts> {
  return { isTrial: true, ...(candidate && { isPinned: true }) }
}

function toStepFacts(
  { candidate, depth = 1 }: ChainedRequest,
  step: StepFacts,
): Partial<CallFacts> {
  return { step, ...(candidate && { isPinned: true }), ...(depth > 1 && { depth }) }
}

/**
 * A step that is more than an inline read is stored under a key before it runs, so that of two
 * nodes that resume the same call only one can make it.
 */
function stepKeyFor(
  { entry: { contract }, decision }: ResolvedTool,
  { step, startAt }: ChainedRequest,
): string | undefined {
  if (step === undefined) return undefined
  const { effect, execution } = contract
  const isInlineRead = effect === 'read' && execution === 'inline' && startAt === undefined
  return isInlineRead && decision.verdict !== 'ask' ? undefined : step.idempotencyKey
}

/** The caller's time limit counts as a deadline, because the clock of the call stops during steps. */
function toResuming(
  { tool: { deadlineMs = Infinity } }: ResolvedTool['entry'],
  { stored, timeoutMs = Infinity }: ChainedRequest,
  now: number,
): Pick<CallFacts, 'isResumable' | 'deadlineAt'> {
  const withinMs = Math.min(deadlineMs, timeoutMs)
  if (withinMs === Infinity) return { isResumable: true }
  return { isResumable: true, deadlineAt: (stored?.requestedAt ?? now) + withinMs }
}

/**
 * The input in the form the tool takes it, if it was written differently. Defaults are left out:
 * they may change between a request and its retry.
 */
function prepared(input: JsonValue, { inputSchema }: ToolContract): JsonValue | undefined {
  const value = prepareValue(inputSchema, input, { defaults: false }) as JsonValue
  return value === input ? undefined : value
}
