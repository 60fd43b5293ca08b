import { finishReport } from '../../core/async/finish-report.ts'
import { createOutsideRedactors } from '../../core/async/outside-redactor.ts'
import type { StoredCall } from '../../core/call-log.ts'
import type { NewEvent } from '../../core/events/event.ts'
import type { Caller } from '../../core/kernel/call.ts'
import { ToolError } from '../../core/kernel/errors.ts'
import { createUuid } from '../../core/kernel/ids.ts'
import type { JsonValue } from '../../core/kernel/json.ts'
import { utf8Length } from '../../core/kernel/text/utf8.ts'
import { fillInput, holdUploads } from '../../core/pipeline/input-files.ts'
import { toCallError } from '../../core/pipeline/record/call-error.ts'
import { toSettlement } from '../../core/pipeline/record/call-facts.ts'
import type { FinishedOutput } from '../../core/pipeline/output/finish-output.ts'
import { callerOf } from '../../core/pipeline/stored-request.ts'
import { toJsonParser } from '../../core/schema/to-parser.ts'
import { checkSecretFields, hideSecretFields } from '../../core/secrets/secret-fields.ts'
import { createRedactor } from '../../core/secrets/redact.ts'
import { whyNot, whyOver } from './life.ts'
import type { QuestionEnd, StoredQuestion } from './model.ts'
import type { QuestionParts } from './parts.ts'

/** An answer is never cut to size, because another step works with it. */
const maxAnswerBytes = 262_144

/** Ends the call with this answer. Throws invalid_input with the places, and already_settled. */
export async function answerQuestion(
  question: StoredQuestion,
  { caller, input }: { caller: Caller; input: unknown },
  parts: QuestionParts,
): Promise<StoredQuestion> {
  assertOpen(question, 'answered', parts)
  const call = await findCall(question, parts)
  const answer = await parseAnswer(question, { caller, input, call }, parts)
  const redactors = await createOutsideRedactors(call, createUuid(), parts)
  const redacted = redactors.text.redactValue(withoutSecrets(question, answer))
  const report = { status: 'completed', response: redacted } as const
  const finished = await finishReport(call, report, { redactors, ports: parts })
  const at = parts.now()
  const end: QuestionEnd = { status: 'answered', at, ...by(caller), answer: redacted }
  const data = { questionId: question.id, by: toText(caller) }
  return settle({ question, call, end }, finished, {
    parts,
    told: { type: 'question.answered', at, data },
  })
}

/** Fails the call with the reason. */
export async function declineQuestion(
  question: StoredQuestion,
  { caller, reason }: { caller: Caller; reason?: string | undefined },
  parts: QuestionParts,
): Promise<StoredQuestion> {
  assertOpen(question, 'declined', parts)
  const because = reason === undefined ? ', without a reason' : `: ${reason}`
  const error = new ToolError('approval_rejected', `A person declined to answer${because}`)
  const at = parts.now()
  const end: QuestionEnd = { status: 'declined', at, ...by(caller), reason }
  const data = {
    questionId: question.id,
    by: toText(caller),
    ...(reason !== undefined && { reason }),
  }
  const call = await findCall(question, parts)
  return settle({ question, call, end }, failed(error), {
    parts,
    told: { type: 'question.declined', at, data },
  })
}

/** Ends a question that nobody answered in time. False if somebody else ended it first. */
export async function expireQuestion(
  question: StoredQuestion,
  parts: QuestionParts,
): Promise<boolean> {
  const at = parts.now()
  if (whyNot(question, 'expired', at) !== undefined) return false
  const call = await parts.calls.findWithInput(question.tenant, question.callId)
  if (call === undefined) return false
  const { onExpiry } = question
  const error = new ToolError('approval_expired', 'Nobody answered the question in time', {
    fix: 'Ask again, or give an answer for that case: onExpiry.',
  })
  const finished = onExpiry === undefined ? failed(error) : { output: onExpiry, warnings: [] }
  const end: QuestionEnd = { status: 'expired', at, answer: onExpiry }
  const data = { questionId: question.id, hasDefault: onExpiry !== undefined }
  const told: NewEvent = { type: 'question.expired', at, data }
  return isSettledBy({ question, call, end }, finished, { parts, told })
}

function assertOpen(
  question: StoredQuestion,
  step: 'answered' | 'declined',
  { now }: Pick<QuestionParts, 'now'>,
): void {
  const refusal = whyNot(question, step, now())
  if (refusal !== undefined) throw refusal
}

async function findCall(
  { tenant, callId }: StoredQuestion,
  { calls }: QuestionParts,
): Promise<StoredCall> {
  const call = await calls.findWithInput(tenant, callId)
  if (call !== undefined) return call
  throw whyOver(undefined)
}

/** Checks the answer as the input of a tool would be: the same parser, uploads and secret fields. */
async function parseAnswer(
  { schema, form }: StoredQuestion,
  { caller, input, call }: { caller: Caller; input: unknown; call: StoredCall },
  parts: QuestionParts,
): Promise<JsonValue> {
  const contract = { inputSchema: schema, form }
  const filled = await fillInput(contract, { input, caller }, parts)
  const parsed = toJsonParser(schema)(filled.input)
  if (!parsed.ok) {
    throw new ToolError('invalid_input', 'The answer does not match the form', {
      issues: parsed.issues,
      fix: 'toolcrib questions show lists the fields.',
    })
  }
  const answer = parsed.value as JsonValue
  checkSecretFields(contract, answer)
  const size = utf8Length(JSON.stringify(answer))
  if (size > maxAnswerBytes) {
    throw new ToolError('invalid_input', `The answer has ${size} bytes; ${maxAnswerBytes} fit`, {
      fix: 'Upload large files, and answer with their addresses.',
    })
  }
  await holdUploads({ facts: { callId: call.callId, caller }, filled }, parts)
  return answer
}

/** Secret fields of the form are hidden, and their values wherever else somebody typed them. */
function withoutSecrets({ schema, form }: StoredQuestion, answer: JsonValue): JsonValue {
  const { shown, values, marks } = hideSecretFields({ inputSchema: schema, form }, answer)
  return createRedactor(values, { marks }).redactValue(shown)
}

function failed(error: ToolError): FinishedOutput {
  return { error: toCallError(error), warnings: [] }
}

interface Ending {
  question: StoredQuestion
  call: StoredCall
  end: QuestionEnd
}

interface Telling {
  parts: QuestionParts
  told: NewEvent
}

async function settle(
  ending: Ending,
  finished: FinishedOutput,
  telling: Telling,
): Promise<StoredQuestion> {
  const { question, end } = ending
  if (await isSettledBy(ending, finished, telling)) {
    const { status, ...how } = end
    return { ...question, status, end: how }
  }
  throw whyOver(await telling.parts.questions.find(question.tenant, question.id))
}

/** The one guarded way into a settled status: the second of two changes nothing. */
async function isSettledBy(
  { question, call, end }: Ending,
  finished: FinishedOutput,
  { parts, told }: Telling,
): Promise<boolean> {
  const requestedAt = Date.parse(call.requestedAt)
  const facts = { callId: call.callId, caller: callerOf(call), requestedAt }
  const contract = parts.registry.find(call.tool, call.tenant)?.contract
  const details = { log: {}, settledAt: told.at, hadJob: true, contract }
  const settlement = toSettlement(facts, finished, details)
  const events = [told, ...settlement.events]
  if (!(await parts.questions.end(question, end, { ...settlement, events }))) return false
  const durationMs = settlement.settledAt - requestedAt
  parts.onSettled({ tool: call.tool, status: settlement.status, durationMs })
  parts.work.wake()
  return true
}

function by({ principal, person }: Caller): Pick<QuestionEnd, 'by' | 'person'> {
  return { by: principal, ...(person !== undefined && { person }) }
}

function toText({ principal }: Caller): string {
  return `${principal.kind}:${principal.id}`
}
