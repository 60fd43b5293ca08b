import type { LabelSetting } from '../../../core/explain/explain-api.ts'
import type { SessionFlag } from '../../../core/flow/session-flags.ts'
import { outsideEffects } from '../../../core/flow/tool-labels.ts'
import type { Command, CommandContext } from '../command.ts'
import { exit } from '../exit-codes.ts'
import { toSafeLine } from '../output/safe-text.ts'
import { showTable } from '../output/table.ts'
import { usageError } from '../parse-options.ts'
import { findAction } from './find-action.ts'
import { showFlags } from './show-explanation.ts'

/** `toolcrib labels`: what tools read and affect, and what sessions have seen of it. */
export const labelsCommand: Command = {
  summary:
    'Say what tools read and affect, for the data-flow rule; see and clear what sessions saw.',
  usage: [
    'labels [list]',
    'labels set <pattern> [--reads KINDS] [--effects EFFECT]',
    'labels delete <pattern>',
    'labels flags <session>',
    'labels clear <session>',
  ],
  options: {
    reads: {
      type: 'string',
      value: 'KINDS',
      multiple: true,
      summary: 'untrusted, private, or none; may repeat',
    },
    effects: {
      type: 'string',
      value: 'EFFECT',
      choices: outsideEffects,
      summary: 'what a call leaves behind: none, local, external or irreversible',
    },
  },
  maxWords: 2,
  reads: ['', 'list', 'flags'],
  firstWord: ['list', 'set', 'delete', 'flags', 'clear'],
  notes: [
    'A session that has seen untrusted and private data asks a person before an external or irreversible effect.',
  ],
  examples: [
    "toolcrib labels set 'web.*' --reads untrusted",
    'toolcrib labels set mail.send --effects external',
  ],
  run: (context) => findAction('labels', { list, set, delete: remove, flags, clear }, context),
}

async function list({ connect, screen }: CommandContext): Promise<number> {
  const { client } = await connect()
  const { items } = await client.read<{ items: LabelSetting[] }>('/labels')
  if (screen.isJson) {
    screen.json({ items })
    return exit.ok
  }
  if (items.length === 0) {
    screen.out("No labels. → toolcrib labels set 'web.*' --reads untrusted")
    return exit.ok
  }
  showTable(screen, {
    columns: [
      { title: 'tools', shrinkTo: 12, style: (cell) => screen.style('cyan', cell) },
      { title: 'reads', shrinkTo: 9 },
      { title: 'effects' },
      { title: 'set by', shrinkTo: 10 },
    ],
    rows: items.map(({ pattern, reads, effects, setBy }) => [
      toSafeLine(pattern),
      reads === undefined ? '' : reads.join(', ') || 'none',
      effects ?? '',
      toSafeLine(setBy),
    ]),
  })
  return exit.ok
}

async function set(context: CommandContext): Promise<number> {
  const { connect, options, screen } = context
  const pattern = wordOf(context, 'Which tools?', "toolcrib labels set 'web.*' --reads untrusted")
  const reads = options.texts('reads')
  const effects = options.text('effects')
  if (reads.length === 0 && effects === undefined) {
    throw usageError('A label says --reads or --effects.', 'Write --reads untrusted, for instance.')
  }
  const { client } = await connect()
  const label = await client.read<LabelSetting>(`/labels/${encodeURIComponent(pattern)}`, {
    method: 'PUT',
    body: { ...(reads.length > 0 && { reads: toKinds(reads) }), effects },
  })
  if (screen.isJson) screen.json(label)
  else screen.out(`${screen.style('green', '✓')} ${toSafeLine(pattern)} is labelled`)
  return exit.ok
}

/** The server knows the kinds; `none` is the empty list. */
function toKinds(texts: readonly string[]): string[] {
  if (texts.every((text) => text === 'none')) return []
  return texts.flatMap((text) => text.split(',')).map((kind) => kind.trim())
}

async function remove(context: CommandContext): Promise<number> {
  const pattern = wordOf(context, 'Which label?', "toolcrib labels delete 'web.*'")
  const { client } = await context.connect()
  await client.send(`/labels/${encodeURIComponent(pattern)}`, { method: 'DELETE' })
  const { screen } = context
  if (screen.isJson) screen.json({ pattern, deleted: true })
  else screen.out(`${screen.style('green', '✓')} ${toSafeLine(pattern)} is gone`)
  return exit.ok
}

async function flags(context: CommandContext): Promise<number> {
  return readFlags(context, 'GET')
}

async function clear(context: CommandContext): Promise<number> {
  const { screen } = context
  const code = await readFlags(context, 'DELETE')
  if (!screen.isJson) screen.out(`${screen.style('green', '✓')} it has no flags now`)
  return code
}

async function readFlags(context: CommandContext, method: 'GET' | 'DELETE'): Promise<number> {
  const { connect, screen } = context
  const session = wordOf(context, 'Which session?', 'toolcrib labels flags <session>')
  const { client } = await connect()
  const path = `/session-flags/${encodeURIComponent(session)}`
  const { items } = await client.read<{ items: SessionFlag[] }>(path, { method })
  if (screen.isJson) screen.json({ items })
  else showFlags(screen, session, items)
  return exit.ok
}

function wordOf({ words }: CommandContext, question: string, example: string): string {
  const word = words[1]
  if (word !== undefined) return word
  throw usageError(question, `Write: ${example}`)
}
