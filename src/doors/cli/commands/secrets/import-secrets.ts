import { readFile } from 'node:fs/promises'
import { resolve } from 'node:path'
import { parseEnv } from 'node:util'
import { isToolError, ToolError } from '../../../../core/kernel/errors.ts'
import type { SecretOverview } from '../../../../features/secrets/schemas.ts'
import type { SecretSummary } from '../../../../core/vault-ports.ts'
import type { HttpClient } from '../../client/http-client.ts'
import type { CommandContext } from '../../command.ts'
import { exit } from '../../exit-codes.ts'
import { counted } from '../../output/counted.ts'
import { toSafeLine } from '../../output/safe-text.ts'
import { usageError } from '../../parse-options.ts'
import { confirm, isAsking } from '../../confirm.ts'

/** One variable and its result. Its value is never shown. */
interface Import {
  variable: string
  name: string
  value: string
  /** Why it is not written. */
  skip?: 'empty' | 'unknown'
}

interface Outcome {
  variable: string
  name: string
  status: 'written' | 'empty' | 'unknown' | 'refused' | 'planned'
  version?: number
  message?: string
}

/** `toolcrib secrets import`: what tools ask for, from a .env file or from this environment. */
export async function importSecrets(context: CommandContext): Promise<number> {
  const { connect, options, screen } = context
  const variables = await readVariables(context)
  const { client } = await connect()
  const { requirements } = await client.read<SecretOverview>('/secrets')
  const plan = planImport(variables, {
    names: requirements.map(({ name }) => name),
    prefix: options.text('prefix') ?? '',
    isAll: options.flag('all'),
  })
  const wanted = plan.filter(({ skip }) => skip === undefined)
  if (!screen.isJson) showPlan(context, plan)
  const mayWrite = !options.flag('dry-run') && (await isConfirmed(context, wanted))
  const outcomes: Outcome[] = []
  for (const one of plan) {
    outcomes.push(await settle(client, one, { mayWrite, agent: options.text('agent') }))
  }
  showOutcomes(context, outcomes)
  return outcomes.some(({ status }) => status === 'refused') ? exit.failed : exit.ok
}

async function readVariables(context: CommandContext): Promise<[string, string][]> {
  const { environment, options, words } = context
  const file = options.text('env-file')
  const names = [...options.texts('from-env'), ...words.slice(1)]
  if (file === undefined && names.length === 0) {
    throw usageError('Import from where?', 'Write --env-file .env, or --from-env NAME….')
  }
  const fromFile = file === undefined ? {} : await readEnvFile(resolve(environment.cwd, file))
  const missing = names.find((name) => environment.env[name] === undefined)
  if (missing !== undefined) {
    throw usageError(`${missing} is not set in the environment.`, `export ${missing}=… first.`)
  }
  const given = names.map((name): [string, string] => [name, environment.env[name] ?? ''])
  return [...Object.entries(fromFile).map(([k, v]): [string, string] => [k, v ?? '']), ...given]
}

async function readEnvFile(path: string): Promise<Record<string, string | undefined>> {
  const text = await readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
    throw new ToolError('not_found', `${path} can't be read: ${error.code ?? error.message}`)
  })
  return parseEnv(text)
}

/** The secret for each variable: the declared one with the same name, ignoring case and dots. */
function planImport(
  variables: readonly [string, string][],
  { names, prefix, isAll }: { names: readonly string[]; prefix: string; isAll: boolean },
): Import[] {
  const declared = new Map(names.map((name) => [toPlain(name), name]))
  return variables
    .filter(([variable]) => variable.startsWith(prefix) && variable !== prefix)
    .map(([variable, value]) => {
      const bare = variable.slice(prefix.length)
      const known = declared.get(toPlain(bare))
      const name = known ?? bare.toLowerCase()
      const plan = { variable, name, value }
      if (value === '') return { ...plan, skip: 'empty' }
      return known === undefined && !isAll ? { ...plan, skip: 'unknown' } : plan
    })
}

function toPlain(name: string): string {
  return name.toLowerCase().replaceAll(/[.-]/g, '_')
}

/** Asks at a terminal; running a script is consent. */
async function isConfirmed(context: CommandContext, wanted: readonly Import[]): Promise<boolean> {
  if (wanted.length === 0) return false
  if (!isAsking(context)) return true
  return confirm(context, `Write ${counted(wanted.length, 'secret')}?`)
}

async function settle(
  client: HttpClient,
  { variable, name, value, skip }: Import,
  { mayWrite, agent }: { mayWrite: boolean; agent: string | undefined },
): Promise<Outcome> {
  if (skip !== undefined) return { variable, name, status: skip }
  if (!mayWrite) return { variable, name, status: 'planned' }
  try {
    const { version } = await client.read<SecretSummary>(`/secrets/${encodeURIComponent(name)}`, {
      method: 'PUT',
      body: { value, agent },
    })
    return { variable, name, status: 'written', version }
  } catch (error) {
    if (!isToolError(error) || error.code !== 'invalid_input') throw error
    const message = error.fix === undefined ? error.message : `${error.message}. ${error.fix}`
    return { variable, name, status: 'refused', message }
  }
}

function showPlan({ screen }: CommandContext, plan: readonly Import[]): void {
  for (const { variable, name, skip } of plan) {
    const from = toSafeLine(variable)
    if (skip === 'empty') screen.err(`– ${from} is empty`)
    else if (skip === 'unknown')
      screen.err(`– ${from}: no tool requires it (--all writes it anyway)`)
    else screen.err(`  ${from} → ${toSafeLine(name)}`)
  }
}

function showOutcomes({ screen, options }: CommandContext, outcomes: readonly Outcome[]): void {
  if (screen.isJson) return screen.json({ items: outcomes })
  for (const { name, status, version, message } of outcomes) {
    const safe = toSafeLine(name)
    if (status === 'written')
      screen.out(`${screen.style('green', '✓')} ${safe} is set (version ${version})`)
    if (status === 'refused')
      screen.out(`${screen.style('red', '✗')} ${safe}: ${toSafeLine(message ?? '')}`)
  }
  if (outcomes.length === 0) {
    const prefix = options.text('prefix')
    const which =
      prefix === undefined ? 'It names no variable' : `No variable begins with ${prefix}`
    screen.out(toSafeLine(`${which}.`))
  }
  if (!outcomes.some(({ status }) => status === 'written')) screen.out('Nothing was written.')
}
