import type { Command } from '../command.ts'
import { exit } from '../exit-codes.ts'
import { toSafeLine } from '../output/safe-text.ts'
import { noServerNote } from '../../../features/sign-ins/terminal.ts'

/** `toolcrib sign-in-link`: a fresh one-time link, alone on stdout. */
export const signInLinkCommand: Command = {
  summary: 'Create a one-time link that signs in to the console.',
  usage: ['sign-in-link [--member ID]'],
  options: {
    member: { type: 'string', value: 'ID', summary: 'the member to sign in; an owner by default' },
  },
  maxWords: 0,
  notes: [
    'The link works once, for an hour, on every node. You cannot create one for a member who holds more than you do.',
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
    if (kind === 'local') screen.err(`! ${noServerNote}`)
    return exit.ok
  },
}
