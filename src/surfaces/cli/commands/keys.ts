import type { ApiKey } from '../../../core/vault-ports.ts'
import type { Command, CommandContext } from '../command.ts'
import { exit } from '../exit-codes.ts'
import { toSafeLine } from '../output/safe-text.ts'
import type { Screen } from '../output/screen.ts'
import { showTable } from '../output/table.ts'
import { parseDuration } from '../parse-duration.ts'
import { usageError } from '../parse-options.ts'
import { findAction } from './find-action.ts'

/** `toolcrib keys`: who may come in over HTTP, and with what. */
export const keysCommand: Command = {
  summary: 'List, create and revoke API keys.',
  usage: [
    'keys [list]',
    'keys create --name NAME --scope SCOPE… [--agent AGENT] [--expires 30d]',
    'keys revoke <id>',
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
    expires: { type: 'string', value: 'TIME', summary: 'stop working after 12h, 30d, …' },
  },
  maxWords: 2,
  firstWord: ['list', 'create', 'revoke'],
  examples: ["toolcrib keys create --name ci --scope tools.call --scope 'calls.*' --expires 30d"],
  run: (context) => findAction('keys', { list, create, revoke }, context),
}

async function list({ connect, screen }: CommandContext): Promise<number> {
  const { client } = await connect()
  const { items } = await client.read<{ items: ApiKey[] }>('/keys')
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
  const created = await client.read<{ key: ApiKey; token: string }>('/keys', {
    method: 'POST',
    body: { name, scopes, agent, expiresAt: expires === undefined ? undefined : toExpiry(expires) },
  })
  if (screen.isJson) {
    screen.json(created)
    return exit.ok
  }
  // The token alone on stdout, so that it can be piped to where it is kept.
  screen.out(toSafeLine(created.token))
  screen.err(
    `${screen.errStyle('green', '✓')} ${toSafeLine(created.key.id)} (${toSafeLine(created.key.name)})`,
  )
  screen.err('! The token is shown this once; only a hash of it is kept.')
  return exit.ok
}

function toExpiry(time: string): string {
  return new Date(Date.now() + parseDuration('--expires', time)).toISOString()
}

async function revoke({ connect, words, screen }: CommandContext): Promise<number> {
  const id = words[1]
  if (id === undefined) throw usageError('Which key?', 'toolcrib keys lists their ids.')
  const { client } = await connect()
  await client.send(`/keys/${encodeURIComponent(id)}`, { method: 'DELETE' })
  if (screen.isJson) screen.json({ id, revoked: true })
  else screen.out(`${screen.style('green', '✓')} ${toSafeLine(id)} no longer works`)
  return exit.ok
}
