import type { ToolListing, ToolState } from '../../../core/crib-api.ts'
import type { Effect } from '../../../core/tool.ts'
import type { Command, CommandContext } from '../command.ts'
import { exit } from '../exit-codes.ts'
import { toSafeLine } from '../output/safe-text.ts'
import type { Format, Screen } from '../output/screen.ts'
import { showTable } from '../output/table.ts'

/** `toolcrib tools`: what this caller sees. */
export const toolsCommand: Command = {
  summary: 'List the tools, or show everything about one.',
  usage: ['tools [--q WORDS] [--pack PACK] [--agent AGENT]', 'tools <name>'],
  options: {
    q: { type: 'string', value: 'WORDS', summary: 'words in the name, title or description' },
    pack: { type: 'string', value: 'PACK', summary: 'tools of this pack' },
    source: { type: 'string', value: 'SOURCE', summary: 'tools from code, builtin, gateway, …' },
    agent: { type: 'string', value: 'AGENT', summary: 'what this agent sees' },
  },
  maxWords: 1,
  firstWord: 'tools',
  examples: ['toolcrib tools --q invoice', 'toolcrib tools billing.refund'],
  async run(context) {
    const [name] = context.words
    if (name === undefined) return listTools(context)
    const { showTool } = await import('./show-tool.ts')
    return showTool(context, name)
  },
}

export const effectFormats = {
  read: 'green',
  write: 'yellow',
  destructive: 'red',
} as const satisfies Record<Effect, Format>

export const stateFormats = {
  ready: 'green',
  misconfigured: 'yellow',
  quarantined: 'red',
} as const satisfies Record<ToolState, Format>

async function listTools({ connect, options, screen }: CommandContext): Promise<number> {
  const { client } = await connect()
  const listings = await client.all<ToolListing>('/tools', {
    q: options.text('q'),
    pack: options.text('pack'),
    source: options.text('source'),
    agent: options.text('agent'),
    limit: 1000,
  })
  if (screen.isJson) screen.json({ items: listings })
  else if (listings.length === 0) showNothing(screen, options.text('agent'))
  else showListings(screen, listings)
  return exit.ok
}

function showNothing(screen: Screen, agent: string | undefined): void {
  screen.out('No tools.')
  const asAgent = agent === undefined ? '' : ` --agent ${agent}`
  screen.out(
    `→ toolcrib explain${asAgent} says which are hidden and why; toolcrib init writes a first one.`,
  )
}

/** One table for all packs, so that columns line up; a pack begins with its name. */
function showListings(screen: Screen, listings: readonly ToolListing[]): void {
  const packs = Object.entries(Object.groupBy(listings, ({ pack }) => pack))
  const sorted = packs.toSorted(([a], [b]) => (a < b ? -1 : 1)).flatMap(([, tools = []]) => tools)
  showTable(screen, {
    columns: [
      { title: 'pack', shrinkTo: 6, style: (cell) => screen.style('bold', cell) },
      { title: 'name', shrinkTo: 16, style: (cell) => screen.style('cyan', cell) },
      {
        title: 'effect',
        style: (cell, row) => screen.style(effectFormats[sorted[row]?.effect ?? 'read'], cell),
      },
      {
        title: 'state',
        style: (cell, row) => screen.style(stateFormats[sorted[row]?.state ?? 'ready'], cell),
      },
      { title: 'title', shrinkTo: 8 },
    ],
    rows: sorted.map((tool, index) => [
      sorted[index - 1]?.pack === tool.pack ? '' : toSafeLine(tool.pack),
      toSafeLine(tool.name),
      tool.effect,
      tool.state,
      toSafeLine(tool.reason === undefined ? tool.title : `${tool.title} (${tool.reason})`),
    ]),
  })
  screen.out('')
  screen.out(screen.style('dim', `${listings.length} tools. toolcrib tools <name> shows one.`))
}
