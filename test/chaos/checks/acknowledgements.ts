import { isDeepStrictEqual } from 'node:util'
import type { CallResult } from '../../../src/core/kernel/call.ts'
import { isSettled } from '../../../src/core/call-state.ts'
import type { Answer, Evidence, StoredCall, Violation } from '../evidence.ts'

/** What was answered is stored, as it was answered; one key is one call. */
export function checkAcknowledgements({ answers, calls, listed }: Evidence): Violation[] {
  const byId = new Map(calls.map((call) => [call.callId, call]))
  const unconfirmed = findUnconfirmed(answers)
  return [
    ...answers.flatMap((answer) => checkAnswer(answer, byId)),
    ...checkKeys(answers, calls),
    ...checkList(calls, listed),
    ...answers
      .filter((answer) => isUnexpected(answer, unconfirmed))
      .map((answer) => ({
        rule: 'unexpected answer',
        subject: answer.operation,
        message: `${answer.request} was answered with ${answer.http} ${answer.result?.code ?? ''}`,
        context: answer,
      })),
  ]
}

function checkAnswer(answer: Answer, byId: ReadonlyMap<string, StoredCall>): Violation[] {
  const callId = acknowledgedId(answer)
  if (callId === undefined) return []
  const call = byId.get(callId)
  const violation = (rule: string, message: string): Violation => ({
    rule,
    subject: callId,
    message,
    context: { answer, call },
  })
  if (call === undefined) {
    return [violation('lost acknowledgement', 'The call was answered and there is no record of it')]
  }
  if (call.tool !== answer.tool) {
    return [violation('changed call', `It was for ${answer.tool}, the record says ${call.tool}`)]
  }
  if (answer.request === 'call' && !isDeepStrictEqual(call.input, answer.input)) {
    return [violation('changed call', 'The recorded input is not the one that was sent')]
  }
  return isSameResult(answer, call)
    ? []
    : [violation('changed result', 'The answer says another end than the record')]
}

/** The id of a call that the client was told exists. `record_failed` says itself that nothing is confirmed. */
export function acknowledgedId({ http, result }: Answer): string | undefined {
  if (http === undefined || result?.callId === undefined) return undefined
  if (result.error?.code === 'record_failed') return undefined
  return http < 300 || (http === 403 && result.code !== 'forbidden') ? result.callId : undefined
}

/** Calls whose clients know the id, and were never told more of them than that. */
function findUnconfirmed(answers: readonly Answer[]): Set<string | undefined> {
  const told = answers.filter(({ result }) => result?.error?.code === 'record_failed')
  const acknowledged = new Set(answers.map(acknowledgedId))
  return new Set(told.map(({ result }) => result?.callId).filter((id) => !acknowledged.has(id)))
}

function isSameResult({ http, result }: Answer, call: StoredCall): boolean {
  if (http === 403) return call.status === 'denied'
  // Whoever heard of an unsettled call may find it anywhere later.
  if (result?.status === undefined || !isSettled(result.status)) return true
  return isDeepStrictEqual(endOf(call), endOf(result))
}

function endOf({ status, output, error }: Partial<CallResult> | StoredCall): unknown {
  return { status, output, code: error?.code, message: error?.message }
}

function checkKeys(answers: readonly Answer[], calls: readonly StoredCall[]): Violation[] {
  const idsByKey = new Map<string, Set<string>>()
  const add = (tool: string, key: string | undefined, callId: string | undefined) => {
    if (key === undefined || callId === undefined) return
    const name = `${tool} ${key}`
    idsByKey.set(name, (idsByKey.get(name) ?? new Set()).add(callId))
  }
  for (const answer of answers) add(answer.tool, answer.key, acknowledgedId(answer))
  for (const call of calls) add(call.tool, call.key, call.callId)
  return [...idsByKey]
    .filter(([, ids]) => ids.size > 1)
    .map(([name, ids]) => ({
      rule: 'key used twice',
      subject: name,
      message: `One idempotency key stands for ${ids.size} calls`,
      context: [...ids],
    }))
}

function checkList(calls: readonly StoredCall[], listed: readonly string[]): Violation[] {
  const times = new Map(calls.map(({ callId }) => [callId, 0]))
  for (const callId of listed) times.set(callId, (times.get(callId) ?? 0) + 1)
  return [...times]
    .filter(([, count]) => count !== 1)
    .map(([callId, count]) => ({
      rule: 'wrong list',
      subject: callId,
      message: `The list of calls gave it ${count} times`,
    }))
}

/**
 * Faults answer 429 or 503, or not at all; a call that settled first answers 409. Of one that was never
 * confirmed there may be nothing to find.
 */
function isUnexpected(
  { request, http, callId }: Answer,
  unconfirmed: ReadonlySet<string | undefined>,
): boolean {
  if (http === undefined || http < 300) return false
  if (http === 429 || http === 503 || http === 403) return false
  if (http === 404 && request !== 'call' && unconfirmed.has(callId)) return false
  return !(http === 409 && request !== 'call' && request !== 'look')
}
