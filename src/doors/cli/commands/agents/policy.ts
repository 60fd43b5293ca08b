import type {
  PolicyDocument,
  PolicyDocumentKind,
  Simulation,
} from '../../../../features/policies/schemas.ts'
import { policyDocumentKinds } from '../../../../features/policies/schemas.ts'
import { toSetBy } from '../../../../features/agents/terminal.ts'
import type { Command, CommandContext } from '../../command.ts'
import { exit } from '../../exit-codes.ts'
import { counted } from '../../output/counted.ts'
import { toSafeLine } from '../../output/safe-text.ts'
import type { Screen } from '../../output/screen.ts'
import { showWarnings } from '../../output/show-warnings.ts'
import { showTable } from '../../output/table.ts'
import { usageError } from '../../parse-options.ts'
import { findAction } from '../../find-action.ts'
import { toTools } from './to-level.ts'

/** `toolcrib policy`: what a tenant decides for all its agents. */
export const policyCommand: Command = {
  summary: 'Show and set the policy of the tenant, its profiles, groups and packs.',
  usage: [
    'policy [list]',
    'policy set tenant|provider:<name>|profile:<name> [--profile PROFILE] [--allow PATTERN…] [--deny PATTERN…]',
    'policy set group:<name> --allow PATTERN…',
    'policy set pack:<name> --on|--off',
    'policy simulate [the same]',
    'policy remove <what>',
  ],
  options: {
    profile: { type: 'string', value: 'PROFILE', summary: 'a shipped or custom profile' },
    allow: { type: 'string', value: 'PATTERN', multiple: true, summary: 'let through; may repeat' },
    deny: { type: 'string', value: 'PATTERN', multiple: true, summary: 'never; may repeat' },
    on: { type: 'boolean', summary: 'of a pack: visible' },
    off: { type: 'boolean', summary: 'of a pack: hidden' },
  },
  maxWords: 2,
  reads: ['', 'list', 'simulate'],
  firstWord: ['list', 'set', 'simulate', 'remove'],
  notes: [
    'A level can only restrict: without a profile and --allow it allows everything except --deny.',
    'simulate shows what would change for every agent, and saves nothing.',
  ],
  examples: [
    "toolcrib policy simulate tenant --deny 'shell.*'",
    "toolcrib policy set profile:readers --allow '*.read' --allow group:web",
  ],
  run: (context) => findAction('policy', { list, set, simulate, remove }, context),
}

async function list({ connect, screen }: CommandContext): Promise<number> {
  const { client } = await connect()
  const items: PolicyDocument[] = []
  for (const kind of policyDocumentKinds) {
    items.push(...(await client.read<{ items: PolicyDocument[] }>(`/policies/${kind}`)).items)
  }
  if (screen.isJson) screen.json({ items })
  else if (items.length === 0)
    screen.out("No policy is set for this tenant. → toolcrib policy set tenant --deny 'shell.*'")
  else showPolicyDocuments(screen, items)
  return exit.ok
}

function showPolicyDocuments(screen: Screen, items: readonly PolicyDocument[]): void {
  showTable(screen, {
    columns: [
      { title: 'what', style: (cell) => screen.style('cyan', cell) },
      { title: 'says', shrinkTo: 16 },
      { title: 'set by', shrinkTo: 8 },
    ],
    rows: items.map((item) => [
      toSafeLine(item.kind === 'policy' ? item.name : `${item.kind}:${item.name}`),
      toSafeLine(item.closed === undefined ? toText(item) : `! ${item.closed}`),
      toSafeLine(toSetBy(item)),
    ]),
  })
}

interface Level {
  profile?: string
  allow?: readonly string[]
  deny?: readonly string[]
  isOn?: boolean
}

function toText({ kind, body }: PolicyDocument): string {
  if (Array.isArray(body)) return (body as string[]).join(' ')
  const { profile, allow, deny, isOn } = body as Level
  if (kind === 'pack') return isOn === true ? 'on' : 'off'
  const parts = [
    profile === undefined ? [] : [`profile ${profile}`],
    allow && allow.length > 0 ? [`allow ${allow.join(' ')}`] : [],
    deny && deny.length > 0 ? [`deny ${deny.join(' ')}`] : [],
  ].flat()
  return parts.length === 0 ? 'everything' : parts.join(', ')
}

async function set(context: CommandContext): Promise<number> {
  const { screen, connect } = context
  const { kind, name } = targetOf(context)
  const body = toBody(context, kind)
  const { client } = await connect()
  const document = await client.read<PolicyDocument>(pathTo(kind, name), {
    method: 'PUT',
    body: { body },
  })
  if (screen.isJson) screen.json(document)
  else
    screen.out(
      `${screen.style('green', '✓')} ${toSafeLine(`${kind}:${name}`)}: ${toSafeLine(toText(document))}`,
    )
  showWarnings(screen, document)
  return exit.ok
}

async function remove(context: CommandContext): Promise<number> {
  const { screen, connect } = context
  const { kind, name } = targetOf(context)
  const { client } = await connect()
  await client.send(pathTo(kind, name), { method: 'DELETE' })
  if (screen.isJson) screen.json({ kind, name, deleted: true })
  else screen.out(`${screen.style('green', '✓')} ${toSafeLine(`${kind}:${name}`)} is gone`)
  return exit.ok
}

async function simulate(context: CommandContext): Promise<number> {
  const { screen, connect } = context
  const { kind, name } = targetOf(context)
  const body = toBody(context, kind)
  const wanted = kind === 'pack' ? (body as { isOn: boolean }).isOn : body
  const request = kind === 'policy' ? { policy: wanted } : { [`${kind}s`]: { [name]: wanted } }
  const { client } = await connect()
  const items: Simulation['items'] = []
  let unchanged = 0
  let after: string | undefined
  do {
    const page = await client.read<Simulation>('/policies/simulate', {
      method: 'POST',
      body: { ...request, after },
    })
    items.push(...page.items)
    unchanged += page.unchanged
    after = page.next
  } while (after !== undefined && !screen.closed.aborted)
  if (screen.isJson) screen.json({ items, unchanged })
  else showSimulation(screen, { items, unchanged })
  return exit.ok
}

function showSimulation(screen: Screen, { items, unchanged }: Simulation): void {
  for (const { agent, ...change } of items) {
    screen.out(screen.style('bold', toSafeLine(agent)))
    const lines = [
      ['green', '+', 'sees', change.gains],
      ['red', '-', 'sees no more', change.loses],
      ['yellow', '?', 'asks about', change.asks],
      ['green', '!', 'asks no more about', change.allows],
    ] as const
    for (const [color, mark, what, tools] of lines) {
      if (tools.length > 0)
        screen.out(`  ${screen.style(color, mark)} ${what} ${toSafeLine(tools.join(', '))}`)
    }
  }
  screen.out(
    `${counted(items.length, 'agent')} would change, ${unchanged} would not. Nothing was saved.`,
  )
}

function targetOf({ words }: CommandContext): { kind: PolicyDocumentKind; name: string } {
  const target = words[1]
  if (target === 'tenant') return { kind: 'policy', name: 'tenant' }
  const [kind, name] = target?.split(':', 2) ?? []
  const known = policyDocumentKinds.find(
    (candidate) => candidate === kind && candidate !== 'policy',
  )
  if (known !== undefined && name) return { kind: known, name }
  throw usageError(
    target === undefined ? 'Which policy?' : `${target} is none.`,
    'Write tenant, provider:<name>, profile:<name>, group:<name> or pack:<name>.',
  )
}

function toBody({ options }: CommandContext, kind: PolicyDocumentKind): object {
  if (kind === 'pack') {
    if (options.flag('on') !== options.flag('off')) return { isOn: options.flag('on') }
    throw usageError('On or off?', 'Write --on or --off.')
  }
  const { profile, allow = [], deny = [] } = toTools(options) ?? {}
  if (kind === 'group') return [...allow]
  return { ...(profile && { profile }), allow, deny }
}

function pathTo(kind: PolicyDocumentKind, name: string): string {
  return `/policies/${kind}/${encodeURIComponent(name)}`
}
