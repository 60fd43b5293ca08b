import type { CommandGroup } from '../../core/operations/command-group.ts'
import { memberOperations } from '../people/operations.ts'
import { invitationOperations } from './invitation-operations.ts'

/** `toolcrib members`: members and their invitations. */
export const memberCommand: CommandGroup = {
  name: 'members',
  one: 'member',
  summary: 'List, add, invite, change and remove members.',
  operations: { ...memberOperations, ...invitationOperations },
  notes: [
    'You can only give permissions that you hold. Only an owner can add, change or remove owners.',
  ],
  examples: [
    'toolcrib members add ada@example.com --name Ada --role operator',
    'toolcrib members invite ada@example.com --role operator',
    'toolcrib --tenant acme members add bob@acme.example --role owner',
  ],
}
