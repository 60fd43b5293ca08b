import type { IssuedKeyAnswer } from '../../../features/keys/schemas.ts'
import type { ApiKey } from '../../../core/vault-ports.ts'
import type { Command, CommandContext } from '../command.ts'
import { exit } from '../exit-codes.ts'
import { toSafeLine } from '../output/safe-text.ts'
import type { Screen } from '../output/screen.ts'
import { showTable } from '../output/table.ts'
import { parseDuration } from '../parse-duration.ts'
import { usageError } from '../parse-options.ts'
import { findAction } from './find-action.ts'
import { scanKeys } from './scan-keys.ts'

/** `toolcrib keys`: who may come in over HTTP, and with what. */
export const keysCommand: Command = {
  summary: 'List, create, rotate and revoke API keys, and find leaked ones.',
  usage: [
    'keys [list]',
    'keys create --name NAME --scope SCOPE… [--agent AGENT] [--tool-mode search] [--expires 30d]',
    'keys rotate <id> [--overlap 1h]',
    'keys revoke <id>',
    'keys scan <file|folder|->… [--revoke [--yes]]',
  ],
  options: {
    name: { type: 'string', value: 'NAME', summary: 'what the key is for' },
    scope: {
      type: 'string',
      value: 'SCOPE',
      multiple: true,
      summary: 'a permission such as tools.call, or a pattern; may repeat',
    },
    agent: { type: 'string', value: 'AGENT', summary: 'bind the key to this agent' },
    'tool-mode': {
      type: 'string',
      value: 'MODE',
      summary: 'list, search or auto: how its holder gets to know the tools',
    },
    expires: { type: 'string', value: 'TIME', summary: 'stop working after 12h, 90d, …' },
    overlap: {
      type: 'string',
      value: 'TIME',
      summary: 'rotate: the old secret works so long beside the new one, 7d at most',
    },
    revoke: { type: 'boolean', summary: 'scan: revoke the keys that still work, after asking' },
    yes: { type: 'boolean', summary: 'scan: revoke without asking' },
  },
  maxWords: Infinity,
  reads: ['', 'list', 'scan'],
  firstWord: ['list', 'create', 'rotate', 'revoke', 'scan'],
  notes: [
    'scan needs no server: a key is known by its checksum. It exits with 1 when it finds one, and never prints it. Folders named .git and node_modules, links, and files that are no text are left out.',
  ],
  examples: [
    "toolcrib keys create --name ci --scope tools.call --scope 'calls.*' --expires 90d",
    'toolcrib keys rotate 4Fz0kQ81mB --overlap 1h',
    'toolcrib keys scan . && echo clean',
  ],
  run(context) {
    if (context.words[0] !== 'scan' && context.words.length > 2) {
      throw usageError(`${context.words[2] ?? ''} is one word too many.`)
    }
    return findAction('keys', { list, create, rotate, revoke, scan: scanKeys }, context)
  },
}

async function list({ connect, screen }: CommandContext): Promise<number> {
  const { client } = await connect()
  const items = await client.all<ApiKey>('/keys')
  if (screen.isJson) screen.json({ items })
  else if (items.length === 0)
    screen.out('No keys. → toolcrib keys create --name NAME --scope tools.call')
  else showKeys(screen, items)
  return exit.ok
}

function showKeys(screen: Screen, keys: readonly ApiKey[]): void {
  showTable(screen, {
    columns: [
      { title: 'id', style: (cell) => screen.style('cyan', cell) },
      { title: 'name', shrinkTo: 10 },
      { title: 'scopes', shrinkTo: 12 },
      { title: 'agent', shrinkTo: 6 },
      { title: 'last used' },
      { title: 'state' },
    ],
    rows: keys.map((key) => [
      toSafeLine(key.id),
      toSafeLine(key.name),
      toSafeLine(key.scopes.join(' ')),
      toSafeLine(key.agent ?? ''),
      toDay(key.lastUsedAt) ?? 'never',
      stateOf(key),
    ]),
  })
}

function stateOf({ revokedAt, expiresAt }: ApiKey): string {
  if (revokedAt !== undefined) return `revoked ${toDay(revokedAt) ?? ''}`
  if (expiresAt === undefined) return 'live'
  return `${Date.parse(expiresAt) <= Date.now() ? 'expired' : 'until'} ${toDay(expiresAt) ?? ''}`
}

function toDay(time: string | undefined): string | undefined {
  return time === undefined ? undefined : toSafeLine(time.slice(0, 10))
}

async function create({ connect, options, screen }: CommandContext): Promise<number> {
  const name = options.text('name')
  const scopes = options.texts('scope').flatMap((scope) => scope.split(','))
  const agent = options.text('agent')
  const expires = options.text('expires')
  if (name === undefined || scopes.length === 0) {
    throw usageError(
      'A key needs a name and at least one scope.',
      'Write toolcrib keys create --name NAME --scope tools.call',
    )
  }
  const { client } = await connect()
  const created = await client.read<IssuedKeyAnswer>('/keys', {
    method: 'POST',
    body: {
      name,
      scopes,
      agent,
      toolMode: options.text('tool-mode'),
      expiresAt: expires === undefined ? undefined : toExpiry(expires),
    },
  })
  showToken(screen, created)
  return exit.ok
}

async function rotate({ connect, words, options, screen }: CommandContext): Promise<number> {
  const id = requireId(words)
  const overlap = options.text('overlap')
  const overlapSeconds =
    overlap === undefined ? undefined : Math.ceil(parseDuration('--overlap', overlap) / 1000)
  const { client } = await connect()
  const rotated = await client.read<IssuedKeyAnswer>(`/keys/${encodeURIComponent(id)}/rotate`, {
    method: 'POST',
    body: { overlapSeconds },
  })
  showToken(screen, rotated)
  const { oldSecretUntil } = rotated.key
  if (screen.isJson) return exit.ok
  screen.err(
    oldSecretUntil === undefined
      ? '! The old token no longer works.'
      : `! The old token works until ${toSafeLine(oldSecretUntil)}.`,
  )
  return exit.ok
}

function showToken(screen: Screen, answer: IssuedKeyAnswer): void {
  if (screen.isJson) return screen.json(answer)
  const { key, token, warnings = [] } = answer
  // The token alone on stdout, so that it can be piped to where it is kept.
  screen.out(toSafeLine(token))
  screen.err(`${screen.errStyle('green', '✓')} ${toSafeLine(key.id)} (${toSafeLine(key.name)})`)
  screen.err('! The token is shown this once; only a hash of it is kept.')
  for (const warning of warnings) screen.err(`! ${toSafeLine(warning)}`)
}

function toExpiry(time: string): string {
  return new Date(Date.now() + parseDuration('--expires', time)).toISOString()
}

async function revoke({ connect, words, screen }: CommandContext): Promise<number> {
  const id = requireId(words)
  const { client } = await connect()
  await client.send(`/keys/${encodeURIComponent(id)}`, { method: 'DELETE' })
  if (screen.isJson) screen.json({ id, revoked: true })
  else screen.out(`${screen.style('green', '✓')} ${toSafeLine(id)} no longer works`)
  return exit.ok
}

function requireId(words: readonly string[]): string {
  const id = words[1]
  if (id !== undefined) return id
  throw usageError('Which key?', 'toolcrib keys lists their ids.')
}
