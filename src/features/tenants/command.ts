import type { CommandGroup } from '../../core/operations/command-group.ts'
import { tenantOperations } from './operations.ts'

/** `toolcrib tenants`. */
export const tenantCommand: CommandGroup = {
  name: 'tenants',
  one: 'tenant',
  summary: 'List, create, rename, suspend, resume and delete tenants.',
  operations: tenantOperations,
  notes: [
    'With --tenant SLUG every other command acts in that tenant: toolcrib --tenant acme members add …',
    'Deleting a tenant removes all its data for good.',
  ],
  examples: [
    "toolcrib tenants create acme --name 'Acme Ltd'",
    "toolcrib tenants suspend acme --reason 'not paid'",
  ],
}
