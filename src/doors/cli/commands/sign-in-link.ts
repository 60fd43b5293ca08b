import type { Command } from '../command.ts'
import { exit } from '../exit-codes.ts'
import { toSafeLine } from '../output/safe-text.ts'
import { noServerNote } from './invitations.ts'

/** `toolcrib sign-in-link`: a fresh one-time link, alone on stdout. */
export const signInLinkCommand: Command = {
  summary: 'Make a one-time link that signs in to the console.',
  usage: ['sign-in-link [--member ID]'],
  options: {
    member: { type: 'string', value: 'ID', summary: 'for this member; an owner unless said' },
  },
  maxWords: 0,
  notes: [
    'The link works once, for an hour, on every node. Nobody makes one for a member who may do more than they.',
  ],
  examples: ['toolcrib sign-in-link --member mem_0199f3c2a7d07c3e8d3c9d1f0a4b5c6d'],
  async run({ connect, options, screen }) {
    const { client, kind } = await connect()
    const link = await client.read<{ member: string; url: string; expiresAt: string }>(
      '/sign-in-links',
      { method: 'POST', body: { member: options.text('member') } },
    )
    if (screen.isJson) {
      screen.json(link)
      return exit.ok
    }
    screen.out(toSafeLine(link.url))
    screen.err(
      `${screen.errStyle('green', '✓')} for ${toSafeLine(link.member)}, once, until ${toSafeLine(link.expiresAt)}`,
    )
    if (kind === 'local') screen.err(noServerNote)
    return exit.ok
  },
}
