import type { CommandGroup } from '../../core/operations/command-group.ts'
import type { workspaceFileOperations } from './file-operations.ts'
import type { workspaceOperations } from './operations.ts'

type Operations = typeof workspaceOperations & typeof workspaceFileOperations

/** `toolcrib workspaces`; downloading is by hand. */
export const workspaceCommand: CommandGroup<Operations> = {
  name: 'workspaces',
  one: 'workspace',
  summary: 'List, show, change and remove the folders in which tools work.',
  commands: {
    listWorkspaces: { verb: 'list' },
    findWorkspace: { verb: 'show', words: ['id'] },
    listWorkspaceFiles: { verb: 'files', words: ['id', 'path'] },
    listWorkspaceChanges: { verb: 'changes', words: ['id'] },
    changeWorkspace: { verb: 'set', words: ['id'] },
    acceptWorkspaceChanges: { verb: 'accept', words: ['id'], done: 'accepted' },
    deleteWorkspace: { verb: 'remove', words: ['id'], done: 'removed' },
  },
  examples: ['toolcrib workspaces set ws_0190c1a2b3c4d5e6f708192a3b4c5d6e --mode ask'],
}
