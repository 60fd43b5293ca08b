import type { CommandGroup } from '../../core/operations/command-group.ts'
import type { callOperations } from './operations.ts'
import { callColumns, stepColumns } from './terminal.ts'

const since = {
  value: 'TIME',
  summary: 'since 2026-03-01, or since 24h ago',
  reads: 'since',
} as const

/** `toolcrib calls`. */
export const callCommand: CommandGroup<typeof callOperations> = {
  name: 'calls',
  one: 'call',
  summary: 'List calls, newest first, show one, cancel, undo or run one again.',
  commands: {
    listCalls: {
      verb: 'list',
      without: ['brief', 'sessionId', 'idempotencyKey'],
      options: {
        status: { summary: 'only calls with this status' },
        from: since,
        to: { value: 'TIME', summary: 'before this time' },
        limit: { summary: 'how many to list (30), at most 500' },
      },
      pageSize: 30,
      list: callColumns,
      empty: 'No calls match.',
      more: 'There are more; --limit 500 shows up to 500.',
    },
    cancelCall: {
      verb: 'cancel',
      words: ['id'],
      options: { id: { flag: 'call-id' } },
      says: ({ callId, status }) => `${callId} is ${status}`,
    },
    listCallSteps: {
      verb: 'steps',
      words: ['id'],
      options: { id: { flag: 'call-id' } },
      list: stepColumns,
      empty: 'It has no steps: it is not a call of a composition.',
    },
    rerunCall: {
      verb: 'rerun',
      words: ['id'],
      options: {
        id: { flag: 'call-id' },
        from: { value: 'STEP', summary: 'run this step of a composition and all that follow' },
        input: { value: 'JSON', summary: 'input in place of the old one' },
      },
      says: ({ callId = '', status, error }) =>
        `${callId} is ${status}${error === undefined ? '' : `: ${error.message}`}`,
      isBad: ({ status }) => status === 'failed' || status === 'denied',
      next: ({ callId, status }) =>
        status === 'waiting' || status === 'queued' || status === 'running'
          ? `toolcrib call --watch ${callId} follows it`
          : undefined,
    },
    undoCall: {
      verb: 'undo',
      words: ['id'],
      options: { id: { flag: 'call-id' } },
      says: ({ callId = '', status, error }) =>
        `${callId} is ${status}${error === undefined ? '' : `: ${error.message}`}`,
    },
  },
  notes: [
    'Cancelling a call that waits for approval or for an external worker also withdraws that request.',
  ],
  examples: [
    'toolcrib calls --status waiting',
    'toolcrib calls show call_0199…',
    'toolcrib calls cancel call_0199…',
    'toolcrib calls undo call_0199…',
    'toolcrib calls steps call_0199…',
    'toolcrib calls rerun call_0199… --from refund',
    'toolcrib call --watch call_0199…',
  ],
}
