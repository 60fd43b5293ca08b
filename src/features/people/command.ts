import type { CommandGroup } from '../../core/operations/command-group.ts'
import type { memberOperations } from './operations.ts'
import { whoAmIFacts } from './terminal.ts'

/** `toolcrib whoami`. */
export const whoAmICommand: CommandGroup<typeof memberOperations> = {
  name: 'whoami',
  one: 'caller',
  summary: 'Show who you are to the server: principal, tenant, role and permissions.',
  commands: { whoAmI: { verb: '', record: whoAmIFacts } },
  examples: ['toolcrib whoami', 'TOOLCRIB_KEY=crib_… toolcrib whoami --url https://crib.example'],
}
