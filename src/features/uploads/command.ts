import type { CommandGroup } from '../../core/operations/command-group.ts'
import type { uploadOperations } from './operations.ts'
import { uploadColumns, uploadFacts } from './terminal.ts'

/** `toolcrib uploads`; adding one is by hand, because it reads a file. */
export const uploadCommand: CommandGroup<typeof uploadOperations> = {
  name: 'uploads',
  one: 'upload',
  summary: 'List, show, add and delete files for tools.',
  commands: {
    listUploads: {
      verb: 'list',
      list: uploadColumns,
      empty: 'No uploads. → toolcrib uploads add <file>',
    },
    findUpload: { verb: 'show', words: ['id'], record: uploadFacts },
    deleteUpload: { verb: 'delete', words: ['id'], done: 'deleted' },
  },
  examples: ['toolcrib uploads add report.pdf'],
}
