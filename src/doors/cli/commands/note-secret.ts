import type { SecretSummary } from '../../../core/vault-ports.ts'
import type { CommandContext } from '../command.ts'
import { exit } from '../exit-codes.ts'
import { toSafeLine } from '../output/safe-text.ts'
import { parseDuration } from '../parse-duration.ts'
import { usageError } from '../parse-options.ts'

/** `toolcrib secrets note <name>`: what it is for and when it expires; the value stays. */
export async function noteSecret(context: CommandContext): Promise<number> {
  const { connect, options, screen, words } = context
  const name = words[1]
  if (name === undefined) throw usageError('Which secret?', 'toolcrib secrets lists them.')
  const notes = toNotes(context)
  if (Object.keys(notes).length === 0) {
    throw usageError(
      'What is to be noted?',
      `Write toolcrib secrets note ${name} --expires 90d --description TEXT`,
    )
  }
  const { client } = await connect()
  const summary = await client.read<SecretSummary>(`/secrets/${encodeURIComponent(name)}`, {
    method: 'PATCH',
    body: { ...notes, agent: options.text('agent') },
  })
  if (screen.isJson) screen.json(summary)
  else screen.out(`${screen.style('green', '✓')} ${toSafeLine(name)}${sayExpiry(summary)}`)
  return exit.ok
}

/** What `--description` and `--expires` say; `never` and a dash take away. */
export function toNotes({ options }: CommandContext): {
  description?: string | null
  expiresAt?: string | null
} {
  const description = options.text('description')
  const expires = options.text('expires')
  return {
    ...(description !== undefined && { description: description === '-' ? null : description }),
    ...(expires !== undefined && { expiresAt: toExpiry(expires) }),
  }
}

function sayExpiry({ expiresAt }: SecretSummary): string {
  return expiresAt === undefined ? ' does not expire' : ` expires ${expiresAt.slice(0, 10)}`
}

function toExpiry(time: string): string | null {
  if (time === 'never') return null
  if (/^\d{4}-\d{2}-\d{2}$/.test(time) && !Number.isNaN(Date.parse(time))) {
    return new Date(time).toISOString()
  }
  return new Date(Date.now() + parseDuration('--expires', time)).toISOString()
}
