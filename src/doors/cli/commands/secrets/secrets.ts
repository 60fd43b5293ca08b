import type { SecretSummary } from '../../../../core/vault-ports.ts'
import type { CommandContext, OptionSpecs } from '../../command.ts'
import { exit } from '../../exit-codes.ts'
import { readUntil } from '../../operations/read-field.ts'
import type { ByHand } from '../../operations/to-command.ts'
import { toSafeLine } from '../../output/safe-text.ts'
import { usageError } from '../../parse-options.ts'
import { importSecrets } from './import-secrets.ts'
import { readSecretValue } from './read-secret-value.ts'

const fromEnv = {
  type: 'string',
  value: 'VAR',
  multiple: true,
  summary: 'take the value from this environment variable; import takes several',
} as const

const setOptions: OptionSpecs = {
  agent: {
    type: 'string',
    value: 'AGENT',
    summary: "this agent's own value, which overrides the tenant's",
  },
  expires: {
    type: 'string',
    value: 'TIME',
    summary: 'when the value expires: 90d, 2027-01-31, or never',
  },
  description: { type: 'string', value: 'TEXT', summary: 'its purpose; - for none' },
  'from-env': fromEnv,
  value: {
    type: 'string',
    value: 'VALUE',
    summary: 'the value itself; visible to others on this machine',
  },
}

const importOptions: OptionSpecs = {
  'env-file': { type: 'string', value: 'FILE', summary: 'import: a file of NAME=value lines' },
  'from-env': fromEnv,
  prefix: {
    type: 'string',
    value: 'X_',
    summary: 'import: only variables with this prefix, which is removed',
  },
  all: { type: 'boolean', summary: 'import: also secrets that no tool requires' },
  'dry-run': { type: 'boolean', summary: 'import: show what would be written, and stop' },
  yes: { type: 'boolean', summary: 'import: write without asking' },
}

/** The verbs of `toolcrib secrets` that read values. No value is ever printed. */
export const secretsByHand: ByHand = {
  actions: {
    set: {
      usage: [
        'secrets set <name> [--agent AGENT] [--from-env VAR] [--expires TIME] [--description TEXT]   (value from stdin or a hidden prompt)',
      ],
      options: setOptions,
      run: setSecret,
    },
    import: {
      usage: [
        'secrets import --env-file FILE [--prefix X_] [--all] [--dry-run]',
        'secrets import --from-env NAME…',
      ],
      options: importOptions,
      maxWords: Infinity,
      run: importSecrets,
    },
  },
}

async function setSecret(context: CommandContext): Promise<number> {
  const { connect, options, screen } = context
  const [, name] = context.words
  if (name === undefined)
    throw usageError('The name is missing.', 'Write toolcrib secrets set <name>')
  const value = await readSecretValue(context, name)
  if (value === '')
    throw usageError('The value is empty.', 'An empty secret counts as missing; enter a value.')
  const { client } = await connect()
  const body = { value, agent: options.text('agent'), ...toNotes(options) }
  const path = `/secrets/${encodeURIComponent(name)}`
  const summary = await client.read<SecretSummary>(path, { method: 'PUT', body })
  const forAgent = summary.agent === undefined ? '' : ` for ${summary.agent}`
  const text = `${name} is set${forAgent} (version ${summary.version})`
  if (screen.isJson) screen.json(summary)
  else screen.out(`${screen.style('green', '✓')} ${toSafeLine(text)}`)
  return exit.ok
}

function toNotes(options: CommandContext['options']): object {
  const description = options.text('description')
  const expires = options.text('expires')
  return {
    ...(description !== undefined && { description: description === '-' ? null : description }),
    ...(expires !== undefined && {
      expiresAt: expires === 'never' ? null : readUntil('expires', expires),
    }),
  }
}
