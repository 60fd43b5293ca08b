import type { Agent, AgentSummary } from '../../../features/agents/schemas.ts'
import { readInput } from '../call/read-input.ts'
import type { Command, CommandContext } from '../command.ts'
import { exit } from '../exit-codes.ts'
import { toSafeLine } from '../output/safe-text.ts'
import { usageError } from '../parse-options.ts'
import { findAction } from './find-action.ts'
import { showAgent, showAgents } from './show-agents.ts'
import { toTools } from './to-level.ts'

const autonomies = ['conservative', 'standard', 'autonomous'] as const

/** `toolcrib agents`: who calls tools, and what each of them is given. */
export const agentsCommand: Command = {
  summary: 'List, make, change and delete agents, and grant them tools.',
  usage: [
    'agents [list] [--q WORDS]',
    'agents show <agent>',
    'agents create <agent> [--model MODEL] [--profile PROFILE] [--allow PATTERN…] [--deny PATTERN…]',
    'agents set <agent> [the same options] [--input JSON]',
    'agents grant|deny|revoke <agent> <pattern>',
    'agents off <agent> <tool>',
    'agents delete <agent>',
  ],
  options: {
    q: { type: 'string', value: 'WORDS', summary: 'list: words in the slug, name or model' },
    model: { type: 'string', value: 'MODEL', summary: 'demo, or <provider>/<model>' },
    name: { type: 'string', value: 'NAME', summary: 'how people call it' },
    profile: { type: 'string', value: 'PROFILE', summary: 'a shipped or custom profile' },
    allow: { type: 'string', value: 'PATTERN', multiple: true, summary: 'granted; may repeat' },
    deny: { type: 'string', value: 'PATTERN', multiple: true, summary: 'denied; may repeat' },
    autonomy: {
      type: 'string',
      value: 'LEVEL',
      choices: autonomies,
      summary:
        'conservative: every call with an effect needs approval; standard and autonomous: those that a rule or the tool names',
    },
    confirm: {
      type: 'string',
      value: 'PATTERN',
      multiple: true,
      summary: 'ask a person before these; may repeat',
    },
    description: {
      type: 'string',
      value: 'TEXT',
      mayBeEmpty: true,
      summary: "what other agents can ask it, as the tool agent:<slug>; '' switches that off",
    },
    instructions: { type: 'string', value: 'TEXT', summary: 'what its model is told first' },
    'max-steps': {
      type: 'string',
      value: 'N',
      mayBeEmpty: true,
      summary: "model calls in one turn; '' for the usual 15",
    },
    'max-turn-tokens': {
      type: 'string',
      value: 'N',
      mayBeEmpty: true,
      summary: "tokens one turn may use; '' for no limit",
    },
    input: {
      type: 'string',
      value: 'JSON',
      summary: 'everything else, as the API takes it: JSON, @file, or - for stdin',
    },
  },
  maxWords: 3,
  reads: ['', 'list', 'show'],
  firstWord: ['list', 'show', 'create', 'set', 'grant', 'deny', 'revoke', 'off', 'delete'],
  notes: [
    'Patterns: billing.find, billing.*, group:fs, pack:web, *. A deny always wins.',
    'What the configuration declares is changed there; grants may be added to it here.',
  ],
  examples: [
    'toolcrib agents create support --profile minimal --allow billing.find',
    "toolcrib agents grant support 'billing.*'",
  ],
  run(context) {
    const grant = (inner: CommandContext) => addGrant(inner, 'allow')
    const deny = (inner: CommandContext) => addGrant(inner, 'deny')
    const actions = { list, show, create, set, grant, deny, revoke, off, delete: remove }
    return findAction('agents', actions, context)
  },
}

async function list({ connect, options, screen }: CommandContext): Promise<number> {
  const { client } = await connect()
  const q = options.text('q')
  const items = await client.all<AgentSummary>('/agents', { q, limit: 500 })
  if (screen.isJson) screen.json({ items })
  else if (items.length === 0 && q !== undefined) screen.out('No agent fits. → toolcrib agents')
  else if (items.length === 0)
    screen.out("No agents. → toolcrib agents create NAME --allow '*.read'")
  else showAgents(screen, items)
  return exit.ok
}

async function show(context: CommandContext): Promise<number> {
  const path = pathOf(context)
  const { client } = await context.connect()
  return showResult(context, await client.read<Agent>(path))
}

async function create(context: CommandContext): Promise<number> {
  const slug = agentOf(context)
  const body = { ...(await toFields(context)), slug }
  const { client } = await context.connect()
  return showResult(context, await client.read<Agent>('/agents', { method: 'POST', body }))
}

async function set(context: CommandContext): Promise<number> {
  const body = await toFields(context)
  if (Object.keys(body).length === 0) {
    throw usageError('What is to be changed?', 'toolcrib agents --help lists the options.')
  }
  const { client } = await context.connect()
  const agent = await client.read<Agent>(pathOf(context), { method: 'PATCH', body })
  return showResult(context, agent)
}

/** Flags win over what `--input` says. */
async function toFields({ options, environment }: CommandContext): Promise<object> {
  const given = await readInput(options.text('input'), environment)
  if (
    given !== undefined &&
    (typeof given !== 'object' || given === null || Array.isArray(given))
  ) {
    throw usageError(
      '--input must be a JSON object.',
      'toolcrib agents show NAME --json shows one.',
    )
  }
  const tools = toTools(options)
  const confirm = options.texts('confirm')
  const flags = {
    model: options.text('model'),
    name: options.text('name'),
    autonomy: options.text('autonomy'),
    instructions: options.text('instructions'),
    description: orNull(options.text('description')),
    maxSteps: toCount(options, 'max-steps'),
    maxTurnTokens: toCount(options, 'max-turn-tokens'),
    ...(tools !== undefined && { tools }),
    ...(confirm.length > 0 && { hooks: { confirm } }),
  }
  const said = Object.fromEntries(Object.entries(flags).filter(([, value]) => value !== undefined))
  return { ...given, ...said }
}

/** An empty text clears a field. */
function orNull(text: string | undefined): string | null | undefined {
  return text === '' ? null : text
}

function toCount(options: CommandContext['options'], name: string): number | null | undefined {
  const text = orNull(options.text(name))
  if (text === undefined || text === null) return text
  if (/^[1-9]\d{0,8}$/.test(text)) return Number(text)
  throw usageError(`--${name} takes a whole number.`, `Write --${name} 20.`)
}

async function addGrant(context: CommandContext, kind: 'allow' | 'deny'): Promise<number> {
  const body = { pattern: patternOf(context), kind }
  const { client } = await context.connect()
  const path = `${pathOf(context)}/grants`
  return showResult(context, await client.read<Agent>(path, { method: 'POST', body }))
}

/** Both kinds where both are there: what is revoked is neither given nor refused any more. */
async function revoke(context: CommandContext): Promise<number> {
  const pattern = patternOf(context)
  const { client } = await context.connect()
  const before = await client.read<Agent>(pathOf(context))
  const kinds = before.grants.filter((grant) => grant.pattern === pattern).map(({ kind }) => kind)
  let agent = before
  for (const kind of kinds.length === 0 ? (['allow'] as const) : kinds) {
    agent = await client.read<Agent>(`${pathOf(context)}/grants`, {
      method: 'DELETE',
      query: { pattern, kind },
    })
  }
  return showResult(context, agent)
}

async function off(context: CommandContext): Promise<number> {
  const tool = patternOf(context)
  const { client } = await context.connect()
  const path = `${pathOf(context)}/tools/${encodeURIComponent(tool)}`
  return showResult(context, await client.read<Agent>(path, { method: 'DELETE' }))
}

async function remove(context: CommandContext): Promise<number> {
  const { connect, screen } = context
  const path = pathOf(context)
  const { client } = await connect()
  await client.send(path, { method: 'DELETE' })
  const slug = agentOf(context)
  if (screen.isJson) screen.json({ slug, deleted: true })
  else screen.out(`${screen.style('green', '✓')} ${toSafeLine(slug)} is gone`)
  return exit.ok
}

function showResult({ screen }: CommandContext, agent: Agent): number {
  if (screen.isJson) screen.json(agent)
  else showAgent(screen, agent)
  return exit.ok
}

function agentOf({ words }: CommandContext): string {
  const [action, slug] = words
  if (slug !== undefined) return slug
  throw action === 'create'
    ? usageError('What is it called?', "Write toolcrib agents create NAME --allow 'hello.*'.")
    : usageError('Which agent?', 'toolcrib agents lists them.')
}

function patternOf({ words }: CommandContext): string {
  const pattern = words[2]
  if (pattern !== undefined) return pattern
  throw usageError(
    'Which tool or pattern?',
    `Write toolcrib agents ${words[0]} ${words[1] ?? 'AGENT'} 'billing.*'`,
  )
}

function pathOf(context: CommandContext): string {
  return `/agents/${encodeURIComponent(agentOf(context))}`
}
