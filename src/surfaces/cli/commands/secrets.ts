import type { SecretSummary } from '../../../core/vault-ports.ts'
import type { Command, CommandContext } from '../command.ts'
import { exit } from '../exit-codes.ts'
import { toSafeLine } from '../output/safe-text.ts'
import { showTable } from '../output/table.ts'
import { usageError } from '../parse-options.ts'
import { findAction } from './find-action.ts'
import { readSecretValue } from './read-secret-value.ts'

/** `toolcrib secrets`: values go in and never come out. */
export const secretsCommand: Command = {
  summary: 'List, set and delete the secrets that tools use.',
  usage: [
    'secrets [list]',
    'secrets set <name> [--agent AGENT] [--from-env VAR]   (value from stdin or a hidden prompt)',
    'secrets delete <name> [--agent AGENT]',
  ],
  options: {
    agent: {
      type: 'string',
      value: 'AGENT',
      summary: "this agent's own value, which wins over the tenant's",
    },
    'from-env': {
      type: 'string',
      value: 'VAR',
      summary: 'take the value from this environment variable',
    },
    value: {
      type: 'string',
      value: 'VALUE',
      summary: 'the value itself; visible to others on this machine',
    },
  },
  maxWords: 2,
  firstWord: ['list', 'set', 'delete'],
  examples: ['toolcrib secrets set stripe_key', 'toolcrib secrets set stripe_key < key.txt'],
  run: (context) => findAction('secrets', { list, set, delete: remove }, context),
}

async function list({ connect, screen }: CommandContext): Promise<number> {
  const { client } = await connect()
  const { items } = await client.read<{ items: (SecretSummary & { usedBy: string[] })[] }>(
    '/secrets',
  )
  if (screen.isJson) {
    screen.json({ items })
    return exit.ok
  }
  if (items.length === 0) {
    screen.out('No secrets. → toolcrib tools <name> says what a tool needs.')
    return exit.ok
  }
  showTable(screen, {
    columns: [
      { title: 'name', shrinkTo: 12, style: (cell) => screen.style('cyan', cell) },
      { title: 'agent', shrinkTo: 6 },
      { title: 'version', align: 'right' },
      { title: 'written' },
      { title: 'used by', shrinkTo: 12 },
    ],
    rows: items.map(({ name, agent, version, updatedAt, usedBy }) => [
      toSafeLine(name),
      toSafeLine(agent ?? ''),
      String(version),
      toSafeLine(updatedAt.slice(0, 10)),
      toSafeLine(usedBy.join(', ')),
    ]),
  })
  return exit.ok
}

async function set(context: CommandContext): Promise<number> {
  const { connect, options, screen } = context
  const name = nameOf(context)
  const value = await readSecretValue(context, name)
  if (value === '')
    throw usageError('The value is empty.', 'An empty secret counts as missing; give one.')
  const { client } = await connect()
  const summary = await client.read<SecretSummary>(`/secrets/${encodeURIComponent(name)}`, {
    method: 'PUT',
    body: { value, agent: options.text('agent') },
  })
  if (screen.isJson) screen.json(summary)
  else
    screen.out(
      `${screen.style('green', '✓')} ${toSafeLine(name)} is set (version ${summary.version})`,
    )
  return exit.ok
}

async function remove(context: CommandContext): Promise<number> {
  const { connect, options, screen } = context
  const name = nameOf(context)
  const { client } = await connect()
  await client.send(`/secrets/${encodeURIComponent(name)}`, {
    method: 'DELETE',
    query: { agent: options.text('agent') },
  })
  if (screen.isJson) screen.json({ name, deleted: true })
  else screen.out(`${screen.style('green', '✓')} ${toSafeLine(name)} is gone`)
  return exit.ok
}

function nameOf({ words }: CommandContext): string {
  const name = words[1]
  if (name !== undefined) return name
  throw usageError('Which secret?', 'Write its name: toolcrib secrets set stripe_key')
}
