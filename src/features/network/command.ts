import type { CommandGroup } from '../../core/operations/command-group.ts'
import type { networkOperations } from './operations.ts'
import { explanationRecord, rulesRecord } from './terminal.ts'

/** `toolcrib network`. */
export const networkCommand: CommandGroup<typeof networkOperations> = {
  name: 'network',
  one: 'network rule',
  summary: 'List, set and remove rules about hosts that tools may reach, and explain a verdict.',
  commands: {
    listNetworkRules: { verb: 'list', record: rulesRecord },
    explainNetwork: {
      verb: 'explain',
      words: ['host'],
      record: explanationRecord,
      isBad: ({ verdict }) => verdict === 'deny',
    },
    writeNetworkRule: {
      verb: 'set',
      words: ['id'],
      without: ['version'],
      needsOneOf: ['allow', 'deny'],
      says: ({ id }) => `${id} applies on every server`,
    },
    deleteNetworkRule: { verb: 'remove', words: ['id'], done: 'removed' },
  },
  notes: [
    'Deny wins over allow. Allow lists of a tenant add up; rules of an agent narrow them further.',
    'Programs in the sandbox reach only hosts that a rule for their pack allows.',
  ],
  examples: [
    "toolcrib network set partners --allow '*.example.com' --allow api.example.org:8443",
    'toolcrib network set github --pack shell --allow api.github.com',
    'toolcrib network explain api.github.com --pack shell',
  ],
}
