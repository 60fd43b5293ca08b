import type { CommandGroup } from '../../core/operations/command-group.ts'
import type { workspaceFileOperations } from './file-operations.ts'
import type { workspaceOperations } from './operations.ts'
import { entryColumns, workspaceColumns, workspaceFacts } from './terminal.ts'

type Operations = typeof workspaceOperations & typeof workspaceFileOperations

const modeWords = {
  free: 'free: tools change files without asking',
  ask: 'in ask mode: changes wait for approval',
  'read-only': 'read-only: nobody can change its files',
} as const

/** `toolcrib workspaces`; downloading is by hand. */
export const workspaceCommand: CommandGroup<Operations> = {
  name: 'workspaces',
  one: 'workspace',
  summary: 'List, show, change and remove the folders in which tools work.',
  commands: {
    listWorkspaces: {
      verb: 'list',
      list: workspaceColumns,
      empty: 'No workspaces yet. One is created when a tool of a session first uses files.',
    },
    findWorkspace: { verb: 'show', words: ['id'], record: workspaceFacts },
    listWorkspaceFiles: {
      verb: 'files',
      words: ['id', 'path'],
      list: entryColumns,
      empty: 'This folder is empty.',
    },
    listWorkspaceChanges: { verb: 'changes', words: ['id'] },
    changeWorkspace: {
      verb: 'set',
      words: ['id'],
      says: ({ id, mode }) => `${id} is ${modeWords[mode]}`,
    },
    acceptWorkspaceChanges: { verb: 'accept', words: ['id'], done: 'accepted' },
    deleteWorkspace: { verb: 'remove', words: ['id'], done: 'removed' },
  },
  examples: [
    'toolcrib workspaces files ws_0190c1a2b3c4d5e6f708192a3b4c5d6e src',
    'toolcrib workspaces set ws_0190c1a2b3c4d5e6f708192a3b4c5d6e --mode ask',
  ],
}
