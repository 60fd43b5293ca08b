import type { Invitation } from '../../../core/sign-in/sign-in-api.ts'
import type { CommandContext } from '../command.ts'
import { exit } from '../exit-codes.ts'
import { toSafeLine } from '../output/safe-text.ts'
import { showTable } from '../output/table.ts'
import { usageError } from '../parse-options.ts'

/** `toolcrib members invite`: a link by which somebody joins, alone on stdout. */
export async function invite(context: CommandContext): Promise<number> {
  const { connect, options, screen, words } = context
  const email = words[1]
  if (email === undefined)
    throw usageError('Whom?', 'Write toolcrib members invite ada@example.com --role member')
  const permissions = options.texts('permission').flatMap((text) => text.split(','))
  const role = options.text('role') ?? 'member'
  const { client, kind } = await connect()
  const made = await client.read<{ invitation: Invitation; url: string }>('/invitations', {
    method: 'POST',
    body: { email, role, ...(permissions.length > 0 && { permissions }) },
  })
  if (screen.isJson) {
    screen.json(made)
    return exit.ok
  }
  const { id, expiresAt } = made.invitation
  screen.out(toSafeLine(made.url))
  screen.err(`${screen.errStyle('green', '✓')} ${toSafeLine(id)}: ${toSafeLine(email)} as ${role}`)
  screen.err(`! The link is shown this once. It works until ${toSafeLine(expiresAt.slice(0, 10))}.`)
  if (kind === 'local') screen.err(noServerNote)
  return exit.ok
}

/** What is said of a link that was made while no server runs. */
export const noServerNote =
  '! No server runs now. Start one, and put its address before /…?token= in the link.'

/** `toolcrib members invitations`: who was asked in and has not come. */
export async function invitations({ connect, screen }: CommandContext): Promise<number> {
  const { client } = await connect()
  const { items } = await client.read<{ items: Invitation[] }>('/invitations')
  if (screen.isJson) screen.json({ items })
  else if (items.length === 0)
    screen.out('No open invitations. → toolcrib members invite EMAIL --role member')
  else {
    showTable(screen, {
      columns: [
        { title: 'id', style: (cell) => screen.style('cyan', cell) },
        { title: 'email', shrinkTo: 12 },
        { title: 'role', shrinkTo: 8 },
        { title: 'invited by', shrinkTo: 10 },
        { title: 'state' },
      ],
      rows: items.map((one) => [
        toSafeLine(one.id),
        toSafeLine(one.email),
        toSafeLine([one.role, ...one.permissions].join(' ')),
        toSafeLine(one.invitedBy),
        toSafeLine(
          `${one.state === 'expired' ? 'expired' : 'until'} ${one.expiresAt.slice(0, 10)}`,
        ),
      ]),
    })
  }
  return exit.ok
}

/** `toolcrib members uninvite`: the link of an invitation stops working. */
export async function uninvite({ connect, screen, words }: CommandContext): Promise<number> {
  const id = words[1]
  if (id === undefined)
    throw usageError('Which invitation?', 'toolcrib members invitations lists their ids.')
  const { client } = await connect()
  await client.send(`/invitations/${encodeURIComponent(id)}`, { method: 'DELETE' })
  if (screen.isJson) screen.json({ id, revoked: true })
  else screen.out(`${screen.style('green', '✓')} ${toSafeLine(id)} no longer works`)
  return exit.ok
}
