import { z } from 'zod'
import { defineEvents } from '../../core/events/define-events.ts'
import { count, moment, reason, text, texts } from '../../core/operations/payload-fields.ts'

const questionId = text('The question')
const by = text('The person, as `kind:id`')

export const questionEvents = defineEvents(
  {
    noun: 'Question',
    group: 'questions',
    stale: ['questions', 'calls', 'call', 'conversations'],
    inCall: true,
  },
  {
    'question.asked': {
      meaning: 'A call asks people a question: whom, and until when',
      data: () =>
        z.object({
          questionId,
          title: text('What is asked'),
          to: texts('Who may answer'),
          expiresAt: moment('When it expires'),
        }),
    },
    'question.answered': {
      meaning: 'Somebody answered; the output of the call is the answer',
      data: () => z.object({ questionId, by }),
    },
    'question.declined': {
      meaning: 'Somebody declined to answer, with the reason',
      data: () => z.object({ questionId, by, reason: reason.optional() }),
    },
    'question.expired': {
      meaning: 'Nobody answered in time',
      data: () =>
        z.object({
          questionId,
          hasDefault: z.boolean().meta({ description: 'The call ended with the default answer' }),
        }),
    },
    'question.reminded': {
      meaning: 'People were reminded of a question',
      data: () => z.object({ questionId, count: count('How many reminders there were') }),
    },
    'question.reassigned': {
      meaning: 'A question now goes to other people',
      data: () => z.object({ questionId, by, to: texts('Who may answer now') }),
    },
    'question.withdrawn': {
      meaning: 'The call of a question ended before anybody answered',
      data: () => z.object({ questionId, callId: text('The call') }),
    },
  },
)
