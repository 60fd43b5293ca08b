import type { Explanation, LayerVerdict } from '../../../core/policy/scope.ts'
import type { Command } from '../command.ts'
import { exit } from '../exit-codes.ts'
import { toSafeLine } from '../output/safe-text.ts'
import type { Format, Screen } from '../output/screen.ts'
import { showTable } from '../output/table.ts'

/** `toolcrib explain`: which layer hides a tool or asks before it runs, why, and what would change it. */
export const explainCommand: Command = {
  summary: 'Say who sees which tool, which layer stops it, and what would change that.',
  usage: ['explain [--agent AGENT [--skill SKILL]] [--runtime RUNTIME]', 'explain --tool TOOL'],
  options: {
    agent: { type: 'string', value: 'AGENT', summary: 'see as this agent' },
    skill: { type: 'string', value: 'SKILL', summary: 'with this skill of the agent in force' },
    tool: { type: 'string', value: 'TOOL', summary: "one tool, with every layer's word" },
    runtime: {
      type: 'string',
      value: 'RUNTIME',
      summary: 'as if running for this reason: chat, task, api, …',
    },
  },
  maxWords: 1,
  firstWord: 'tools',
  examples: [
    'toolcrib explain --agent support',
    'toolcrib explain --agent support --tool billing.refund',
  ],
  async run({ connect, options, words, screen }) {
    const { client } = await connect()
    const tool = options.text('tool') ?? words[0]
    const { items } = await client.read<{ items: Explanation[] }>('/explain', {
      query: {
        agent: options.text('agent'),
        skill: options.text('skill'),
        runtime: options.text('runtime'),
        tool,
      },
    })
    if (screen.isJson) screen.json({ items })
    else if (tool === undefined) showAll(screen, items)
    else for (const item of items) showOne(screen, item)
    return exit.ok
  },
}

const verdictFormats: Readonly<Record<Explanation['verdict'], Format>> = {
  allow: 'green',
  ask: 'yellow',
  deny: 'red',
}

function showAll(screen: Screen, items: readonly Explanation[]): void {
  if (items.length === 0) {
    screen.out('There are no tools at all.')
    screen.out(
      '→ toolcrib init writes a first one; toolcrib check says what keeps files from loading.',
    )
    return
  }
  showTable(screen, {
    columns: [
      { title: 'tool', shrinkTo: 16, style: (cell) => screen.style('cyan', cell) },
      { title: 'seen' },
      {
        title: 'verdict',
        style: (cell, row) => screen.style(verdictFormats[items[row]?.verdict ?? 'deny'], cell),
      },
      { title: 'stopped by' },
      { title: 'reason', shrinkTo: 12 },
    ],
    rows: items.map(({ tool, visible, verdict, stoppedBy, reasons }) => [
      toSafeLine(tool),
      visible ? 'yes' : 'no',
      verdict,
      toSafeLine(stoppedBy ?? ''),
      toSafeLine(reasons.join('; ')),
    ]),
  })
  const seen = items.filter(({ visible }) => visible).length
  screen.out('')
  screen.out(
    screen.style(
      'dim',
      `${seen} of ${items.length} tools are seen. --tool <name> shows every layer.`,
    ),
  )
}

function showOne(
  screen: Screen,
  { tool, visible, verdict, stoppedBy, reasons, layers }: Explanation,
): void {
  const word = screen.style(verdictFormats[verdict], verdict)
  const by =
    stoppedBy === undefined ? '' : `, stopped by ${screen.style('bold', toSafeLine(stoppedBy))}`
  screen.out(
    `${screen.style('bold', toSafeLine(tool))}: ${visible ? 'seen' : 'hidden'}, ${word}${by}`,
  )
  for (const reason of reasons) screen.out(`  ${toSafeLine(reason)}`)
  screen.out('')
  for (const layer of layers) showLayer(screen, layer)
}

function showLayer(screen: Screen, { layer, passes, reason, fix }: LayerVerdict): void {
  const mark = passes ? screen.style('green', '✓') : screen.style('red', '✗')
  screen.out(`${mark} ${layer.padEnd(10)} ${toSafeLine(reason)}`)
  if (!passes && fix !== undefined) screen.out(`  → ${toSafeLine(fix)}`)
}
