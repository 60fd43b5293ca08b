import { z } from 'zod'
import { callStatuses } from '../../core/call-state.ts'
import { defineEvents } from '../../core/events/define-events.ts'
import {
  amount,
  cost,
  count,
  errorCode,
  modelUsage,
  moment,
  shortError,
  text,
  texts,
  tool,
} from '../../core/operations/payload-fields.ts'
import { runtimes } from '../../core/kernel/runtime.ts'
import { jsonValue } from '../../core/operations/fields.ts'

const input = {
  input: jsonValue.optional().meta({ description: 'The input, if it is small' }),
  inputBytes: count('The size of the input, if it is large').optional(),
}

const skill = text('The skill that was in force').optional()

const purpose = z
  .enum(['preview', 'test'])
  .optional()
  .meta({ description: 'Why the call has no effect; it is left out of usage figures' })

const ended = {
  durationMs: z.number().meta({ description: 'Milliseconds since the request' }),
  warnings: texts('Warnings for the caller').optional(),
  artifact: z
    .object({
      id: text('The artifact'),
      bytes: count('Its size'),
      mediaType: text('Its media type'),
    })
    .optional()
    .meta({ description: 'Where the full output is, if it was cut' }),
  cost: cost.optional(),
  purpose,
  usage: modelUsage.optional(),
  log: z
    .record(z.string(), jsonValue)
    .optional()
    .meta({ description: 'Fields that the tool reported with `ctx.log`' }),
}

const retryable = z.boolean().meta({ description: 'Whether a retry can help' })

const error = z
  .object({ code: errorCode, message: text('For people'), retryable })
  .meta({ description: 'What went wrong' })

/** For a call that ended without output. */
const failure = () => z.object({ ...ended, error })

const group = () =>
  z.object({
    groupId: text('The group'),
    kind: text('What waits for it'),
    members: count('Calls in the group'),
    pending: count('Calls that have not settled'),
    failed: count('Calls that did not complete'),
    attempt: count('How many continuations were started'),
  })

export const callEvents = {
  ...defineEvents(
    { noun: 'Call', group: 'calls', stale: ['calls', 'call', 'usage'], inCall: true },
    {
      'call.requested': {
        meaning: 'A call was requested: its input and the decision about it',
        data: () =>
          z.object({
            tool,
            effect: z
              .enum(['read', 'write', 'destructive'])
              .meta({ description: 'What the tool does' }),
            runtime: z.enum(runtimes).meta({ description: 'The origin of the call' }),
            decision: z
              .object({
                verdict: z.enum(['allow', 'ask', 'deny']).meta({ description: 'The decision' }),
                layer: text('The policy layer that decided').optional(),
                rule: text('Its rule').optional(),
              })
              .meta({
                description: 'The policy decision; with layer and rule unless it plainly allows',
              }),
            ...input,
            onBehalfOf: text('The principal for whom the caller acts, as `kind:id`').optional(),
            parentId: text('The call that made it').optional(),
            purpose,
            undoes: text('The call that it undoes').optional(),
            rerunOf: text('The call that it runs again').optional(),
            rerunFrom: text('The step from which it runs').optional(),
            step: text('Which step of that call it is').optional(),
            skill,
            idempotencyKey: text('The idempotency key of the request').optional(),
          }),
      },
      'call.queued': {
        meaning: 'The call is stored and runs later: for the first time, or again',
        data: () =>
          z.object({
            startAt: moment('Not before').optional(),
            priority: count('Higher runs first; 0 if absent').optional(),
            reason: text('Why it was put back into the queue').optional(),
            code: errorCode.optional().meta({ description: 'Why the previous run failed' }),
            retry: count('Which retry this is').optional(),
            cost: cost.optional(),
          }),
      },
      'call.started': {
        meaning: 'The tool starts; one event per attempt',
        data: () =>
          z.object({
            attempt: count('Counts from 1'),
            after: text('Why the previous attempt failed').optional(),
          }),
      },
      'call.output': {
        meaning: 'Partial output or progress of a running call',
        stale: [],
        data: () =>
          z.union([
            z.object({
              progress: z
                .object({
                  done: amount('How much is done').optional(),
                  total: amount('Of how much').optional(),
                  message: text('What it is doing').optional(),
                  text: text('More text, to append to the previous text').optional(),
                })
                .meta({ description: 'How far it is' }),
            }),
            z.object({
              partial: jsonValue.meta({
                description: 'The output so far; replaces the previous one',
              }),
            }),
          ]),
      },
      'call.waiting': {
        meaning: 'The call waits for a person, for an external worker or for a nested call',
        data: () =>
          z.object({
            for: z
              .enum(['approval', 'external', 'call'])
              .meta({ description: 'What it waits for' }),
            until: moment('When an external worker must be done').optional(),
            cost: cost.optional(),
          }),
      },
      'call.completed': {
        meaning: 'The call completed; with its output if that is small',
        data: () =>
          z.object({
            ...ended,
            output: jsonValue.optional().meta({ description: 'The output, if it is small' }),
            outputBytes: count('The size of the output, if it is large').optional(),
          }),
      },
      'call.failed': { meaning: 'The call ended with an error', data: failure },
      'call.denied': { meaning: 'The call was not allowed; the tool did not run', data: failure },
      'call.cancelled': {
        meaning: 'The call was cancelled',
        stale: ['calls', 'call', 'usage', 'approvals'],
        data: failure,
      },
      'call.undone': {
        meaning: 'The call has completed and undone another',
        data: () => z.object({ undoes: text('The call that was undone') }),
      },
      'call.refused': {
        meaning: 'The requested tool is hidden from the caller; explain gives the reason',
        data: () =>
          z.object({
            refusalId: text('For explain'),
            tool: text('The requested name'),
            runtime: z.enum(runtimes).meta({ description: 'The origin of the call' }),
            permissions: texts('What the caller held'),
            layer: text('The policy layer that hides the tool'),
            rule: text('Its rule'),
            parents: texts('The agents above the caller, nearest first').optional(),
            skill,
          }),
      },
    },
  ),
  ...defineEvents(
    { noun: 'Completion', group: 'calls', stale: [], inCall: true },
    {
      'completion.late': {
        meaning: 'An external worker reported on a call that had already settled',
        data: () =>
          z.object({
            callId: text('The call'),
            tool,
            status: z.enum(callStatuses).meta({ description: 'What the worker reported' }),
            output: jsonValue.optional().meta({ description: 'The output, cut to 16 KiB' }),
            error: shortError.optional(),
            warnings: texts('Warnings for the caller').optional(),
          }),
      },
    },
  ),
  ...defineEvents(
    { noun: 'Group of calls', group: 'calls', stale: [], inCall: true },
    {
      'group.sealed': { meaning: 'The group is sealed: no more calls can join', data: group },
      'group.settled': { meaning: 'The group is sealed and all its calls settled', data: group },
      'group.continued': { meaning: 'The work that waited for the group continued', data: group },
    },
  ),
}
