import { isDeepStrictEqual } from 'node:util'
import type { Answer, Evidence, StoredCall, Violation } from '../evidence.ts'

/** A person's word and an outside worker's result are taken once, and hold. */
export function checkDecisions(evidence: Evidence): Violation[] {
  const byId = new Map(evidence.calls.map((call) => [call.callId, call]))
  return [
    ...checkOnce(evidence.answers, 'decide'),
    ...checkOnce(evidence.answers, 'complete'),
    ...evidence.answers.flatMap((answer) => checkHeld(answer, byId)),
    ...checkUnasked(evidence),
  ]
}

/** One acceptance per call: the answer may get lost, but nobody hears yes a second time. */
function checkOnce(answers: readonly Answer[], request: 'decide' | 'complete'): Violation[] {
  const accepted = answers.filter((answer) => answer.request === request && isAccepted(answer))
  return [...Map.groupBy(accepted, ({ callId }) => callId)]
    .filter(([, taken]) => taken.length > 1)
    .map(([callId, taken]) => ({
      rule: 'accepted twice',
      subject: String(callId),
      message: `${request} was accepted ${taken.length} times`,
      context: taken,
    }))
}

function isAccepted({ http }: Answer): boolean {
  return http !== undefined && http < 300
}

function checkHeld(answer: Answer, byId: ReadonlyMap<string, StoredCall>): Violation[] {
  const call = byId.get(answer.callId ?? '')
  if (!isAccepted(answer) || call === undefined) return []
  const broken = (message: string): Violation[] => [
    { rule: 'decision not held', subject: call.callId, message, context: { answer, call } },
  ]
  if (answer.decision === 'reject' && call.status === 'completed') {
    return broken('It was rejected and completed')
  }
  if (answer.decision === 'approve' && call.status === 'denied') {
    return broken('It was approved and denied')
  }
  if (answer.request !== 'complete') return []
  return call.status === 'completed' && isDeepStrictEqual(call.output, answer.response)
    ? []
    : broken('The accepted response is not the recorded end')
}

/** What needs a person's word did not begin before somebody may have said yes. */
function checkUnasked({ answers, effects, tools }: Evidence): Violation[] {
  const approved = new Set(
    answers.filter(({ decision }) => decision === 'approve').map(({ callId }) => callId),
  )
  return effects
    .filter(({ tool, callId }) => tools[tool]?.needsApproval === true && !approved.has(callId))
    .map((line) => ({
      rule: 'ran unasked',
      subject: line.callId,
      message: 'It ran although nobody approved it',
      context: line,
    }))
}
