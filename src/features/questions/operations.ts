import type { Caller } from '../../core/kernel/call.ts'
import type { NewEvent } from '../../core/events/event.ts'
import { pageOf } from '../../core/operations/fields.ts'
import { operationsOf } from '../../core/operations/operation.ts'
import { holds } from '../../core/operations/require-permission.ts'
import { askerKeysOf, keysOf, readdress } from './addressees.ts'
import { answerQuestion as answer, declineQuestion as decline } from './end-question.ts'
import { whyNot, whyOver } from './life.ts'
import type { Question } from './model.ts'
import { findAddressed, findSeen, isSeen, manages, type QuestionParts, show } from './parts.ts'
import {
  answerRequest,
  declineRequest,
  question,
  questionQuery,
  reassignRequest,
} from './schemas.ts'

const define = operationsOf<QuestionParts>('Questions')
const params = { id: 'The id of the question' }
const asQuestion = { description: 'The question', schema: question }
const over = 'It was answered, declined or has expired, or its call has ended'

const listQuestions = define({
  http: 'GET /api/v1/questions',
  summary: 'List questions',
  description:
    'Newest first by default. Without `approvals.decide`, only questions that are put to you or asked by your own calls.',
  needs: 'signed-in',
  agents: 'none',
  query: questionQuery,
  answer: { description: 'A page of questions', schema: pageOf(question) },
  async run({ mine, call, ...query }, { caller, parts }) {
    if (call !== undefined) return listOfCall(call, { caller, parts })
    const own = keysOf(caller, parts.roles)
    const isAll = mine !== 'true' && holds(caller, manages)
    const seen = mine === 'true' ? own : [...own, ...askerKeysOf(caller)]
    const people = isAll ? undefined : seen
    const page = await parts.questions.list(caller.tenant, { ...query, people })
    return { ...page, items: page.items.map((one) => show(one, caller, parts)) }
  },
})

const findQuestion = define({
  http: 'GET /api/v1/questions/{id}',
  summary: 'Get a question',
  needs: 'signed-in',
  agents: 'none',
  params,
  answer: asQuestion,
  async run({ id }, { caller, parts }) {
    const { question: found } = await findSeen(parts, caller, id)
    return show(found, caller, parts)
  },
})

const answerQuestion = define({
  http: 'POST /api/v1/questions/{id}/answer',
  summary: 'Answer a question',
  description: 'The answer becomes the output of the call that asked. The first answer counts.',
  needs: 'signed-in',
  agents: 'none',
  params,
  body: answerRequest,
  answer: asQuestion,
  refusals: {
    403: 'The question is for others',
    409: over,
    422: 'The answer does not match the schema of the question',
  },
  async run({ id, input }, { caller, parts }) {
    const found = await findAddressed(parts, caller, id)
    return show(await answer(found, { caller, input }, parts), caller, parts)
  },
})

const declineQuestion = define({
  http: 'POST /api/v1/questions/{id}/decline',
  summary: 'Decline to answer a question',
  description: 'The call that asked fails with the reason.',
  needs: 'signed-in',
  agents: 'none',
  params,
  body: declineRequest,
  isBodyOptional: true,
  answer: asQuestion,
  refusals: { 403: 'The question is for others', 409: over },
  async run({ id, reason }, { caller, parts }) {
    const found = await findAddressed(parts, caller, id)
    return show(await decline(found, { caller, reason }, parts), caller, parts)
  },
})

const reassignQuestion = define({
  http: 'POST /api/v1/questions/{id}/reassign',
  summary: 'Put a question to other people',
  description: 'Replaces everybody who was asked before.',
  needs: manages,
  agents: 'none',
  params,
  body: reassignRequest,
  answer: asQuestion,
  refusals: { 409: over, 422: 'Unknown role or member' },
  async run({ id, to: given }, { caller, parts }) {
    const { question: found } = await findSeen(parts, caller, id)
    const at = parts.now()
    const refusal = whyNot(found, 'reassigned', at)
    if (refusal !== undefined) throw refusal
    const addressees = await readdress(found, given, parts)
    const by = `${caller.principal.kind}:${caller.principal.id}`
    const data = { questionId: found.id, by, to: [...addressees.to] }
    const told: NewEvent = { type: 'question.reassigned', at, data }
    if (await parts.questions.reassign(found, addressees, told)) {
      return show({ ...found, ...addressees }, caller, parts)
    }
    throw whyOver(await parts.questions.find(caller.tenant, id))
  },
})

/** Everything that can be done with questions, by library method. */
export const questionOperations = {
  listQuestions,
  findQuestion,
  answerQuestion,
  declineQuestion,
  reassignQuestion,
}

/** A call asks one question; a caller that may not see it gets an empty list. */
async function listOfCall(
  callId: string,
  { caller, parts }: { caller: Caller; parts: QuestionParts },
): Promise<{ items: Question[] }> {
  const found = await parts.questions.findOfCall(caller.tenant, callId)
  if (found === undefined || !isSeen(found, caller, parts)) return { items: [] }
  return { items: [show(found, caller, parts)] }
}
