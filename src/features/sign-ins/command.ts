import type { CommandGroup } from '../../core/operations/command-group.ts'
import type { memberOperations } from '../people/operations.ts'
import { inWords, memberColumns, memberFacts } from '../people/terminal.ts'
import type { invitationOperations } from './invitation-operations.ts'
import type { signInOperations } from './operations.ts'
import { invitationColumns, noServerNote } from './terminal.ts'

const options = {
  permissions: {
    flag: 'permission',
    value: 'PERMISSION',
    summary: 'in addition to those of the role; may repeat',
  },
} as const

/** `toolcrib members`: members and their invitations. */
export const memberCommand: CommandGroup<typeof memberOperations & typeof invitationOperations> = {
  name: 'members',
  one: 'member',
  summary: 'List, add, invite, change and remove members.',
  commands: {
    listMembers: {
      verb: 'list',
      list: memberColumns,
      empty: 'No members. → toolcrib members add EMAIL --role owner',
    },
    createMember: { verb: 'add', words: ['email'], options, says: inWords },
    findMember: { verb: 'show', words: ['id'], record: memberFacts },
    changeMember: {
      verb: 'change',
      words: ['id'],
      without: ['status'],
      options,
      switches: {
        'no-permissions': {
          field: 'permissions',
          value: [],
          summary: 'remove all that are not of the role',
        },
        suspend: {
          field: 'status',
          value: 'suspended',
          summary: 'nobody can sign in or act as them',
        },
        resume: { field: 'status', value: 'active', summary: 'end the suspension' },
      },
      needsOneOf: ['name', 'role', 'permission', 'no-permissions', 'suspend', 'resume'],
      says: inWords,
    },
    removeMember: { verb: 'remove', words: ['id'], done: 'removed' },
    listInvitations: {
      verb: 'invitations',
      list: invitationColumns,
      empty: 'No open invitations. → toolcrib members invite EMAIL --role member',
    },
    createInvitation: {
      verb: 'invite',
      words: ['email'],
      options: { ...options, role: { summary: 'the role they get', default: 'member' } },
      prints: ({ url }) => url,
      says: ({ invitation: { id, email, role } }) => `${id}: ${email} as ${role}`,
      next: ({ invitation: { expiresAt } }) =>
        `The link is shown only once. It works until ${expiresAt.slice(0, 10)}.`,
      whenLocal: noServerNote,
    },
    revokeInvitation: { verb: 'uninvite', words: ['id'], done: 'revoked' },
  },
  notes: [
    'You can only give permissions that you hold. Only an owner can add, change or remove owners.',
  ],
  examples: [
    'toolcrib members add ada@example.com --name Ada --role operator',
    'toolcrib members invite ada@example.com --role operator',
    'toolcrib --tenant acme members add bob@acme.example --role owner',
  ],
}

/** `toolcrib sign-in-link`: a one-time link, alone on stdout. */
export const signInLinkCommand: CommandGroup<typeof signInOperations> = {
  name: 'sign-in-link',
  one: 'link',
  summary: 'Create a one-time link that signs in to the console.',
  commands: {
    createSignInLink: {
      verb: '',
      options: { member: { value: 'ID', summary: 'the member to sign in; an owner by default' } },
      prints: ({ url }) => url,
      says: ({ member, expiresAt }) => `for ${member}, once, until ${expiresAt}`,
      whenLocal: noServerNote,
    },
  },
  notes: [
    'The link works once, for an hour, on every node. You cannot create one for a member who holds more permissions than you.',
  ],
  examples: ['toolcrib sign-in-link --member mem_0199f3c2a7d07c3e8d3c9d1f0a4b5c6d'],
}
