import type { CommandGroup } from '../../core/operations/command-group.ts'
import type { keyringOperations } from './keyring-operations.ts'
import type { secretOperations } from './operations.ts'
import { keyringFacts, missingOf, secretColumns, toTestText } from './terminal.ts'

const agent = { value: 'AGENT', summary: "this agent's own value, which overrides the tenant's" }

/** `toolcrib secrets`; setting and importing read values, so those commands are handwritten. */
export const secretCommand: CommandGroup<typeof secretOperations> = {
  name: 'secrets',
  one: 'secret',
  summary: 'List, set, test, import and delete the secrets that tools use.',
  commands: {
    listSecrets: {
      verb: 'list',
      list: secretColumns,
      empty: 'No secrets. → toolcrib tools <name> shows what a tool needs.',
      remarks: missingOf,
    },
    noteSecret: {
      verb: 'note',
      words: ['name'],
      options: {
        agent,
        expiresAt: {
          flag: 'expires',
          value: 'TIME',
          summary: 'when the value expires: 90d, 2027-01-31, or never',
          reads: 'until',
          nullAs: 'never',
        },
        description: { value: 'TEXT', summary: 'its purpose; - for none', nullAs: '-' },
      },
      needsOneOf: ['expires', 'description'],
      says: ({ name, expiresAt }) =>
        expiresAt === undefined
          ? `${name} does not expire`
          : `${name} expires ${expiresAt.slice(0, 10)}`,
    },
    deleteSecret: { verb: 'delete', words: ['name'], options: { agent } },
    testSecret: {
      verb: 'test',
      words: ['name'],
      options: { agent },
      says: toTestText,
      outcome: ({ status }) =>
        status === 'bad' ? 'failed' : status === 'unchecked' ? 'unknown' : undefined,
      isBad: ({ status }) => status === 'bad',
    },
  },
  notes: [
    'import never prints a value. STRIPE_KEY is stored as the secret that a tool declares as stripe_key.',
  ],
  examples: [
    'toolcrib secrets set stripe_key',
    'toolcrib secrets set stripe_key --expires 90d < key.txt',
    'toolcrib secrets import --env-file .env --dry-run',
  ],
}

/** `toolcrib keyring`; rotating and dropping are handwritten. */
export const keyringCommand: CommandGroup<typeof keyringOperations> = {
  name: 'keyring',
  one: 'master key',
  summary: 'Show the master keys, move everything to another one, and drop old ones.',
  commands: {
    findKeyring: { verb: 'list', record: keyringFacts },
  },
  notes: [
    'The server keeps running. Run rotate again to resume an interrupted rotation. The old key stays in the keyring until you drop it, which is possible once nothing is sealed with it.',
    'With several nodes on one PostgreSQL, each needs the new key before it is used: rotate lists the nodes that lack it, and changes nothing until all have it.',
  ],
  examples: ['toolcrib keyring rotate', 'toolcrib keyring drop k1a2b3c4d5e6'],
}
