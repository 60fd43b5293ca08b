import type { WhoAmI } from '../../../features/people/schemas.ts'
import type { Command } from '../command.ts'
import { exit } from '../exit-codes.ts'
import { showFacts } from '../output/facts.ts'

/** `toolcrib whoami`: whom the key stands for, where, and with what. */
export const whoamiCommand: Command = {
  summary: 'Say who you are to the server: principal, tenant, role and permissions.',
  usage: ['whoami'],
  options: {},
  maxWords: 0,
  reads: true,
  examples: ['toolcrib whoami', 'TOOLCRIB_KEY=crib_… toolcrib whoami --url https://crib.example'],
  async run({ connect, screen }) {
    const { client } = await connect()
    const me = await client.read<WhoAmI>('/me')
    if (screen.isJson) screen.json(me)
    else {
      showFacts(screen, `${me.principal.kind}:${me.principal.id}`, [
        ['name', me.name],
        ['email', me.email],
        ['tenant', me.home === undefined ? me.tenant : `${me.tenant} (of ${me.home})`],
        ['role', me.role],
        ['permissions', me.permissions.join(' ')],
        ['agent', me.agent],
      ])
    }
    return exit.ok
  },
}
