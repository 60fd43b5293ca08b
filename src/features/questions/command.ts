import type { CommandGroup } from '../../core/operations/command-group.ts'
import { questionStatuses } from './model.ts'
import type { questionOperations } from './operations.ts'
import { questionColumns } from './terminal.ts'

/** `toolcrib questions`. */
export const questionCommand: CommandGroup<typeof questionOperations> = {
  name: 'questions',
  one: 'question',
  summary: 'List and show questions that calls put to people, and put them to others.',
  commands: {
    listQuestions: {
      verb: 'list',
      options: {
        status: {
          choices: [...questionStatuses, 'all'],
          summary: `${questionStatuses.join(', ')} or all (pending)`,
          default: 'pending',
          nullAs: 'all',
        },
      },
      pageSize: 50,
      list: questionColumns,
      empty: ({ status }) =>
        status === 'pending' ? 'No question is waiting for an answer.' : 'No questions.',
      more: 'There are more; --limit 200 shows up to 200.',
    },
    reassignQuestion: {
      verb: 'reassign',
      words: ['id'],
      says: ({ id, to }) => `${id} is now for ${to.join(', ')}`,
    },
  },
  notes: ['You can shorten an id as long as it is unambiguous, or use the id of the call.'],
  examples: [
    'toolcrib questions',
    'toolcrib answer qst_0199… --amount=20',
    'toolcrib questions reassign qst_0199… --to role:admin',
  ],
}
