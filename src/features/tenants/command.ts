import type { CommandGroup } from '../../core/operations/command-group.ts'
import type { tenantOperations } from './operations.ts'
import { tenantColumns, tenantFacts } from './terminal.ts'

/** `toolcrib tenants`. */
export const tenantCommand: CommandGroup<typeof tenantOperations> = {
  name: 'tenants',
  one: 'tenant',
  summary: 'List, create, rename, suspend, resume and delete tenants.',
  commands: {
    listTenants: { verb: 'list', list: tenantColumns },
    createTenant: {
      verb: 'create',
      words: ['slug'],
      says: ({ slug }) => `Created ${slug}`,
      next: ({ slug }) => `toolcrib --tenant ${slug} members add EMAIL --role owner`,
    },
    findTenant: { verb: 'show', words: ['slug'], record: tenantFacts },
    changeTenant: [
      {
        verb: 'rename',
        words: ['slug'],
        without: ['status', 'reason'],
        needsOneOf: ['name'],
        says: ({ slug, name }) => `${slug} is now called ${name}`,
      },
      {
        verb: 'suspend',
        words: ['slug'],
        sets: { status: 'suspended' },
        takes: ['reason'],
        says: ({ slug }) => `${slug} is suspended; its data is kept`,
      },
      {
        verb: 'resume',
        words: ['slug'],
        sets: { status: 'active' },
        says: ({ slug }) => `${slug} is active`,
      },
    ],
    deleteTenant: {
      verb: 'delete',
      words: ['slug'],
      options: { confirm: { value: 'SLUG', summary: 'the slug again, to confirm' } },
      whenLocal: 'No server is running here. Its data is removed while one is: toolcrib start',
    },
  },
  notes: [
    'With --tenant SLUG every other command acts in that tenant: toolcrib --tenant acme members add …',
    'Deleting a tenant removes all its data for good.',
  ],
  examples: [
    "toolcrib tenants create acme --name 'Acme Ltd'",
    "toolcrib tenants suspend acme --reason 'not paid'",
  ],
}
