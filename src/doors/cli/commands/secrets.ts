import type {
  SecretRequirementStatus,
  SecretOverview,
  SecretTest,
} from '../../../features/secrets/schemas.ts'
import type { SecretSummary } from '../../../core/vault-ports.ts'
import type { HttpClient } from '../client/http-client.ts'
import type { Command, CommandContext } from '../command.ts'
import { exit } from '../exit-codes.ts'
import { toSafeLine } from '../output/safe-text.ts'
import type { Screen } from '../output/screen.ts'
import { showTable } from '../output/table.ts'
import { usageError } from '../parse-options.ts'
import { findAction } from './find-action.ts'
import { importSecrets } from './import-secrets.ts'
import { noteSecret, toNotes } from './note-secret.ts'
import { readSecretValue } from './read-secret-value.ts'

/** `toolcrib secrets`: values go in and never come out. */
export const secretsCommand: Command = {
  summary: 'List, set, test, import and delete the secrets that tools use.',
  usage: [
    'secrets [list]',
    'secrets set <name> [--agent AGENT] [--from-env VAR] [--expires TIME] [--description TEXT]   (value from stdin or a hidden prompt)',
    'secrets note <name> [--agent AGENT] [--expires TIME] [--description TEXT]',
    'secrets delete <name> [--agent AGENT]',
    'secrets test <name> [--agent AGENT]',
    'secrets import --env-file FILE [--prefix X_] [--all] [--dry-run]',
    'secrets import --from-env NAME…',
  ],
  options: {
    agent: {
      type: 'string',
      value: 'AGENT',
      summary: "this agent's own value, which wins over the tenant's",
    },
    expires: {
      type: 'string',
      value: 'TIME',
      summary: 'set, note: when the value stops being good: 90d, 2027-01-31, or never',
    },
    description: {
      type: 'string',
      value: 'TEXT',
      summary: 'set, note: what it is for; - for nothing',
    },
    'from-env': {
      type: 'string',
      value: 'VAR',
      multiple: true,
      summary: 'take the value from this environment variable; import takes several',
    },
    'env-file': { type: 'string', value: 'FILE', summary: 'import: a file of NAME=value lines' },
    prefix: {
      type: 'string',
      value: 'X_',
      summary: 'import: only variables that begin so, without it',
    },
    all: { type: 'boolean', summary: 'import: also what no tool asks for' },
    'dry-run': { type: 'boolean', summary: 'import: say what would be written, and stop' },
    yes: { type: 'boolean', summary: 'import: write without asking' },
    value: {
      type: 'string',
      value: 'VALUE',
      summary: 'the value itself; visible to others on this machine',
    },
  },
  maxWords: Infinity,
  reads: ['', 'list'],
  firstWord: ['list', 'set', 'note', 'delete', 'test', 'import'],
  notes: [
    'import never prints a value. STRIPE_KEY is written as the secret that a tool declares as stripe_key.',
  ],
  examples: [
    'toolcrib secrets set stripe_key',
    'toolcrib secrets set stripe_key --expires 90d < key.txt',
    'toolcrib secrets import --env-file .env --dry-run',
  ],
  run(context) {
    if (context.words[0] !== 'import' && context.words.length > 2) {
      throw usageError(`${context.words[2] ?? ''} is one word too many.`)
    }
    const actions = { list, set, note: noteSecret, delete: remove, test, import: importSecrets }
    return findAction('secrets', actions, context)
  },
}

async function list({ connect, screen }: CommandContext): Promise<number> {
  const { client } = await connect()
  const overview = await readOverview(client)
  if (screen.isJson) {
    screen.json(overview)
    return exit.ok
  }
  const { items, requirements } = overview
  if (items.length === 0) {
    screen.out('No secrets. → toolcrib tools <name> says what a tool needs.')
  } else showSecrets(screen, items)
  showMissing(screen, requirements)
  return exit.ok
}

/** All pages as one; what tools ask for comes with the first. */
async function readOverview(client: HttpClient): Promise<SecretOverview> {
  const { next, ...whole } = await client.read<SecretOverview>('/secrets', { query: { limit } })
  for (let after = next; after !== undefined;) {
    const page = await client.read<SecretOverview>('/secrets', { query: { after, limit } })
    whole.items.push(...page.items)
    after = page.next
  }
  return whole
}

const limit = 1000

function showSecrets(screen: Screen, items: SecretOverview['items']): void {
  showTable(screen, {
    columns: [
      { title: 'name', shrinkTo: 12, style: (cell) => screen.style('cyan', cell) },
      { title: 'agent', shrinkTo: 6 },
      { title: 'version', align: 'right' },
      { title: 'written' },
      { title: 'expires' },
      { title: 'used by', shrinkTo: 12 },
    ],
    rows: items.map(({ name, agent, version, updatedAt, expiresAt, usedBy }) => [
      toSafeLine(name),
      toSafeLine(agent ?? ''),
      String(version),
      toSafeLine(updatedAt.slice(0, 10)),
      toExpiry(expiresAt),
      toSafeLine(usedBy.join(', ')),
    ]),
  })
}

function toExpiry(expiresAt: string | undefined): string {
  if (expiresAt === undefined) return ''
  return `${Date.parse(expiresAt) <= Date.now() ? 'expired ' : ''}${toSafeLine(expiresAt.slice(0, 10))}`
}

/** What tools wait for; what they could use besides is in the JSON. */
function showMissing(screen: Screen, requirements: readonly SecretRequirementStatus[] = []): void {
  const missing = requirements.filter(({ isSet, optional }) => !isSet && !optional)
  for (const { name, requiredBy, agents } of missing) {
    const some =
      agents.length > 0 ? `, set only for ${agents.map((one) => one.agent).join(', ')}` : ''
    const line = `${name} is missing${some}: ${requiredBy.join(', ')}`
    screen.out(`${screen.style('yellow', '!')} ${toSafeLine(line)}`)
  }
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
    body: { value, agent: options.text('agent'), ...toNotes(context) },
  })
  const whose = summary.agent === undefined ? '' : ` for ${toSafeLine(summary.agent)}`
  if (screen.isJson) screen.json(summary)
  else
    screen.out(
      `${screen.style('green', '✓')} ${toSafeLine(name)} is set${whose} (version ${summary.version})`,
    )
  return exit.ok
}

async function test(context: CommandContext): Promise<number> {
  const { connect, options, screen } = context
  const name = nameOf(context)
  const { client } = await connect()
  const result = await client.read<SecretTest>(`/secrets/${encodeURIComponent(name)}/test`, {
    method: 'POST',
    query: { agent: options.text('agent') },
  })
  if (screen.isJson) screen.json(result)
  else showTest(screen, result)
  return result.status === 'bad' ? exit.failed : exit.ok
}

function showTest(screen: Screen, { name, status, message, checkedBy }: SecretTest): void {
  const by = checkedBy.length === 0 ? '' : ` (${checkedBy.join(', ')})`
  const words = {
    good: `${screen.style('green', '✓')} ${toSafeLine(`${name} is good${by}`)}`,
    bad: `${screen.style('red', '✗')} ${toSafeLine(`${name}: ${message ?? 'it is no good'}${by}`)}`,
    unchecked: `– ${toSafeLine(message ?? `There is no check for ${name}`)}`,
  }
  screen.out(words[status])
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
