import type { CommandGroup } from '../../core/operations/command-group.ts'
import type { keyOperations } from './operations.ts'
import type { IssuedKeyAnswer } from './schemas.ts'
import { keyColumns } from './terminal.ts'

const shownOnce = 'The token is shown only once. Only a hash of it is stored.'
const issued = {
  prints: ({ token }: IssuedKeyAnswer) => token,
  says: ({ key: { id, name } }: IssuedKeyAnswer) => `${id} (${name})`,
}

/** `toolcrib keys`. */
export const keyCommand: CommandGroup<typeof keyOperations> = {
  name: 'keys',
  one: 'key',
  summary: 'List, create, rotate and revoke API keys, and find leaked ones.',
  commands: {
    listKeys: {
      verb: 'list',
      without: ['parent'],
      list: keyColumns,
      empty: 'No keys. → toolcrib keys create --name NAME --scope tools.call',
    },
    createKey: {
      verb: 'create',
      options: {
        scopes: {
          flag: 'scope',
          value: 'SCOPE',
          summary: 'a permission such as tools.call, or a pattern; may repeat',
        },
        toolMode: {
          value: 'MODE',
          summary: 'how the client finds tools: a full list, a search, or code that calls them',
        },
        expiresAt: {
          flag: 'expires',
          value: 'TIME',
          summary: 'when it stops working: after 12h, 90d, … or on a date',
          reads: 'until',
        },
      },
      ...issued,
      next: () => shownOnce,
    },
    rotateKey: {
      verb: 'rotate',
      words: ['id'],
      options: {
        overlapSeconds: {
          flag: 'overlap',
          value: 'TIME',
          summary: 'how long the old secret keeps working (0), at most 7d',
          reads: 'seconds',
        },
      },
      ...issued,
      next: ({ key: { oldSecretUntil } }) => [
        shownOnce,
        oldSecretUntil === undefined
          ? 'The old token no longer works.'
          : `The old token works until ${oldSecretUntil}.`,
      ],
    },
    revokeKey: { verb: 'revoke', words: ['id'], done: 'revoked' },
  },
  notes: [
    'scan needs no server: a key has a checksum. It exits with 1 if it finds a key, and never prints it. It skips folders named .git and node_modules, links and binary files.',
  ],
  examples: [
    "toolcrib keys create --name ci --scope tools.call --scope 'calls.*' --expires 90d",
    'toolcrib keys rotate 4Fz0kQ81mB --overlap 1h',
    'toolcrib keys scan . && echo clean',
  ],
}
