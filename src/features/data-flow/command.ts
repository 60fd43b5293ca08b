import type { CommandGroup } from '../../core/operations/command-group.ts'
import { dataFlowOperations } from './operations.ts'

/** `toolcrib labels`. */
export const labelCommand: CommandGroup = {
  name: 'labels',
  one: 'label',
  summary: 'List, set and delete labels of tools; show and clear the flags of sessions.',
  operations: dataFlowOperations,
  notes: [
    'A session that has read untrusted and private data needs approval before an external or irreversible effect.',
  ],
  examples: [
    "toolcrib labels set 'web.*' --reads untrusted",
    'toolcrib labels set mail.send --effects external',
  ],
}
