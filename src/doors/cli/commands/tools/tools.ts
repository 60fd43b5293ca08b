import type { ToolListing } from '../../../../core/tools/tool-listing.ts'
import type { ToolEstimate, ToolSearchHit } from '../../../../features/tools/schemas.ts'
import type { HttpClient } from '../../client/http-client.ts'
import { readPacksOff } from '../../client/packs-off.ts'
import type { Command, CommandContext } from '../../command.ts'
import { exit } from '../../exit-codes.ts'
import { counted } from '../../output/counted.ts'
import { toSafeLine } from '../../output/safe-text.ts'
import { findAction } from '../../find-action.ts'
import { usageError } from '../../parse-options.ts'
import type { Format, Screen } from '../../output/screen.ts'
import { toTableLines } from '../../output/table.ts'
import { effectFormats, stateFormats } from '../../output/tool-formats.ts'

/** `toolcrib tools`: what this caller sees. */
export const toolsCommand: Command = {
  summary: 'List the tools, or show everything about one.',
  usage: [
    'tools [--q WORDS] [--pack PACK] [--agent AGENT]',
    'tools --search WORDS [--agent AGENT]',
    'tools --estimate [--agent AGENT]',
    "tools 'PATTERN*'",
    'tools <name>',
    'tools new NAME --kind KIND | --curl COMMAND | --from ID [--file PATH]',
    'tools edit NAME [-]',
    'tools publish NAME|FILE… [--note TEXT]',
    'tools import FILE|DIR… [--dry-run|--apply] [--note TEXT]',
    'tools export [NAME…] [--to DIR]',
    'tools versions NAME',
    'tools restore NAME HASH [--note TEXT]',
  ],
  options: {
    q: { type: 'string', value: 'WORDS', summary: 'words in the name, title or description' },
    pack: { type: 'string', value: 'PACK', summary: 'tools of this pack' },
    source: { type: 'string', value: 'SOURCE', summary: 'tools from code, builtin, gateway, …' },
    agent: { type: 'string', value: 'AGENT', summary: 'what this agent sees' },
    search: { type: 'string', value: 'WORDS', summary: 'the best matches, best first' },
    estimate: { type: 'boolean', summary: 'about how much of a model’s context window they use' },
    note: { type: 'string', value: 'TEXT', summary: 'publish, restore: why it changes' },
    kind: {
      type: 'string',
      value: 'KIND',
      summary: 'new: how it works: http, prompt, task, composition or code',
    },
    curl: {
      type: 'string',
      value: 'COMMAND',
      summary: "new: the cURL command that it sends ('-': on stdin)",
    },
    from: {
      type: 'string',
      value: 'ID',
      summary: 'new: a call, a run or a conversation, whose calls become steps',
    },
    file: {
      type: 'string',
      value: 'PATH',
      summary: 'new: a file or folder to write it to, in place of a draft',
    },
    'dry-run': { type: 'boolean', summary: 'import: only show the plan, as without --apply' },
    apply: { type: 'boolean', summary: 'import: publish what the plan shows' },
    to: { type: 'string', value: 'DIR', summary: 'export: the folder (exported-tools)' },
  },
  maxWords: Infinity,
  reads: ([name = '', ...more]) => !isAction(name, more) || !writing.includes(name),
  firstWord: 'tools',
  examples: [
    'toolcrib tools --q invoice',
    'toolcrib tools --search "give money back"',
    'toolcrib tools billing.refund',
  ],
  async run(context) {
    const [name, ...more] = context.words
    if (name !== undefined && isAction(name, more)) {
      const { documentActions } = await import('../../documents/document-actions.ts')
      return findAction('tools', documentActions, context)
    }
    if (more.length > 0) throw usageError('Name one tool, or give a pattern in quotes.')
    if (context.options.text('search') !== undefined) return searchTools(context)
    if (context.options.flag('estimate')) return estimateTools(context)
    if (name === undefined || name.includes('*')) return listTools(context)
    const { showTool } = await import('./show-tool.ts')
    return showTool(context, name)
  },
}

const actions = ['new', 'edit', 'publish', 'import', 'export', 'versions', 'restore']

/** Changes would be lost with a temporary data folder. */
const writing = ['new', 'edit', 'publish', 'import', 'restore']

/** A tool may have the name of an action: alone, only `export` means the action. */
function isAction(name: string, more: readonly string[]): boolean {
  return actions.includes(name) && (more.length > 0 || name === 'export')
}

async function listTools({ connect, options, screen, words }: CommandContext): Promise<number> {
  const { client } = await connect()
  const all = await client.all<ToolListing>('/tools', {
    q: options.text('q'),
    pack: options.text('pack'),
    source: options.text('source'),
    agent: options.text('agent'),
    limit: 1000,
  })
  const fits = toPattern(words[0] ?? '*')
  const listings = all.filter(({ name }) => fits.test(name))
  if (screen.isJson) screen.json({ items: listings })
  else if (listings.length === 0) showNothing(screen, options.text('agent'))
  else {
    showListings(screen, listings)
    await showPacksOff(screen, client)
  }
  return exit.ok
}

/** `mcp:files:*`: a star stands for anything. */
function toPattern(text: string): RegExp {
  const parts = text.split('*').map((part) => part.replaceAll(/[^\w]/g, String.raw`\$&`))
  return new RegExp(`^${parts.join('.*')}$`, 's')
}

async function searchTools({ connect, options, screen }: CommandContext): Promise<number> {
  const { client } = await connect()
  const found = await client.read<{ items: ToolSearchHit[]; searched: number }>('/tool-search', {
    query: { q: options.text('search'), agent: options.text('agent') },
  })
  if (screen.isJson) screen.json(found)
  else if (found.items.length === 0) {
    screen.out(`None of ${counted(found.searched, 'tool')} matches.`)
  } else showFound(screen, found.items)
  return exit.ok
}

function showFound(screen: Screen, found: readonly ToolSearchHit[]): void {
  const columns = [
    { title: 'name', shrinkTo: 24, style: (cell: string) => screen.style('cyan', cell) },
    { title: 'effect' },
    { title: 'what it does', shrinkTo: 20 },
  ]
  const rows = found.map(({ name, effect, description }) => [
    toSafeLine(name),
    effect,
    toSafeLine(description),
  ])
  const table = { columns, rows, width: screen.width, indent: 0 }
  for (const line of toTableLines(table, (text) => screen.style('dim', text))) screen.out(line)
}

async function estimateTools({ connect, options, screen }: CommandContext): Promise<number> {
  const { client } = await connect()
  const estimate = await client.read<ToolEstimate>('/tool-estimate', {
    query: { agent: options.text('agent') },
  })
  if (screen.isJson) {
    screen.json(estimate)
    return exit.ok
  }
  const { tools, mode, tokens, heaviest } = estimate
  screen.out(`${counted(tools, 'tool')}, offered by ${mode}.`)
  screen.out(`listed    about ${tokens.list.toLocaleString('en')} tokens`)
  screen.out(`searched  about ${tokens.search.toLocaleString('en')} tokens, and the tools found`)
  if (heaviest.length > 0) screen.out(screen.style('dim', 'The heaviest:'))
  for (const { name, tokens: own } of heaviest) {
    screen.out(`  ${String(own).padStart(6)}  ${toSafeLine(name)}`)
  }
  return exit.ok
}

function showNothing(screen: Screen, agent: string | undefined): void {
  screen.out('No tools.')
  const asAgent = agent === undefined ? '' : ` --agent ${agent}`
  screen.out(
    `→ toolcrib explain${asAgent} shows which are hidden and why; toolcrib init writes a first tool.`,
  )
}

/** One table for all packs, so that columns line up, with each pack's name above its tools. */
function showListings(screen: Screen, listings: readonly ToolListing[]): void {
  const packs = Object.entries(Object.groupBy(listings, ({ pack }) => pack))
  const sorted = packs.toSorted(([a], [b]) => (a < b ? -1 : 1)).flatMap(([, tools = []]) => tools)
  const columns = [
    { title: 'name', shrinkTo: 24, style: (cell: string) => screen.style('cyan', cell) },
    {
      title: 'effect',
      style: toStyle(screen, (row) => effectFormats[sorted[row]?.effect ?? 'read']),
    },
    {
      title: 'state',
      style: toStyle(screen, (row) => stateFormats[sorted[row]?.state ?? 'ready']),
    },
    { title: 'title', shrinkTo: 10 },
  ]
  const rows = sorted.map(({ name, effect, state, title, reason }) => [
    toSafeLine(name),
    effect,
    state,
    toSafeLine(reason === undefined ? title : `${title} (${reason})`),
  ])
  const table = { columns, rows, width: screen.width, indent: 2 }
  const [header = '', ...lines] = toTableLines(table, (text) => screen.style('dim', text))
  screen.out(header)
  for (const [index, line] of lines.entries()) {
    const pack = sorted[index]?.pack ?? ''
    if (pack !== sorted[index - 1]?.pack) screen.out(screen.style('bold', toSafeLine(pack)))
    screen.out(line)
  }
  screen.out('')
  screen.out(screen.style('dim', `${countTools(listings)}. toolcrib tools <name> shows one.`))
}

/** A newcomer who misses the shell learns where it is. */
async function showPacksOff(screen: Screen, client: HttpClient): Promise<void> {
  const packs = await readPacksOff(client)
  if (packs.length === 0) return
  screen.out(
    screen.style(
      'dim',
      `Packs that are off: ${packs.map(toSafeLine).join(', ')}. toolcrib policy set pack:${packs[0]} --on turns one on.`,
    ),
  )
}

/** As `dev` and `doctor` count: those that come with Toolcrib apart. */
function countTools(listings: readonly ToolListing[]): string {
  const builtIn = listings.filter(({ source }) => source === 'builtin').length
  const own = counted(listings.length - builtIn, 'tool')
  return builtIn === 0 ? own : `${own} (and ${builtIn} built in)`
}

function toStyle(screen: Screen, formatOf: (row: number) => Format) {
  return (cell: string, row: number): string => screen.style(formatOf(row), cell)
}
