import type { CommandGroup } from '../../core/operations/command-group.ts'
import type { SessionFlag } from '../../core/flow/session-flags.ts'
import type { dataFlowOperations } from './operations.ts'
import { flagColumns, labelColumns } from './terminal.ts'

/** `toolcrib labels`. */
export const labelCommand: CommandGroup<typeof dataFlowOperations> = {
  name: 'labels',
  one: 'label',
  summary: 'List, set and delete labels of tools; show and clear the flags of sessions.',
  commands: {
    listLabels: {
      verb: 'list',
      list: labelColumns,
      empty: "No labels. → toolcrib labels set 'web.*' --reads untrusted",
    },
    writeLabel: {
      verb: 'set',
      words: ['pattern'],
      needsOneOf: ['reads', 'effects'],
      options: {
        reads: {
          value: 'KINDS',
          summary: 'untrusted, private, or none; may repeat',
          emptyAs: 'none',
        },
        effects: {
          value: 'EFFECT',
          summary: 'the effect of a call: none, local, external or irreversible',
        },
      },
      says: ({ pattern }) => `Labelled ${pattern}`,
    },
    deleteLabel: { verb: 'delete', words: ['pattern'] },
    listSessionFlags: { verb: 'flags', words: ['sessionId'], list: flagColumns },
    clearSessionFlags: {
      verb: 'clear',
      words: ['sessionId'],
      says: ({ items }) => `Cleared ${items.map(toWords).join(' and ')}`,
    },
  },
  notes: [
    'A session that has read untrusted and private data needs approval before an external or irreversible effect.',
  ],
  examples: [
    "toolcrib labels set 'web.*' --reads untrusted",
    'toolcrib labels set mail.send --effects external',
  ],
}

function toWords({ kind, tool, callId }: SessionFlag): string {
  return `the flag for ${kind} data (${tool}, ${callId})`
}
