import type { PublishedAnswer, ToolVersionView } from '../../../features/authoring/schemas.ts'
import type { Command, CommandContext } from '../command.ts'
import { exit } from '../exit-codes.ts'
import { toSafeLine } from '../output/safe-text.ts'
import { showTable } from '../output/table.ts'
import { usageError } from '../parse-options.ts'
import { editTool } from './edit-tool.ts'
import { exportTools } from './export-tools.ts'
import { importTools } from './import-tools.ts'
import { newTool } from './new-tool.ts'
import { publishTools } from './publish-tools.ts'

/** The actions of `toolcrib tools` on tools that are documents. */
export const documentActions: Readonly<Record<string, Command['run']>> = {
  new: newTool,
  edit: editTool,
  publish: publishTools,
  import: importTools,
  export: exportTools,
  versions: listVersions,
  restore: restoreVersion,
}

async function listVersions({ screen, connect, words }: CommandContext): Promise<number> {
  const [, name] = words
  if (name === undefined) throw usageError('Name the tool: toolcrib tools versions billing.refund')
  const { client } = await connect()
  const items = await client.all<ToolVersionView>(`/tools/${encodeURIComponent(name)}/versions`)
  if (screen.isJson) {
    screen.json({ items })
    return exit.ok
  }
  showTable(screen, {
    columns: [
      { title: 'version' },
      { title: 'hash' },
      { title: 'by', shrinkTo: 8 },
      { title: 'created' },
      { title: 'note', shrinkTo: 12 },
    ],
    rows: items.map(({ number, hash, createdBy, createdAt, note = '', isInForce }) => [
      `${number}${isInForce ? ' in force' : ''}`,
      hash,
      toSafeLine(`${createdBy.kind}:${createdBy.id}`),
      createdAt.slice(0, 16).replace('T', ' '),
      toSafeLine(note),
    ]),
  })
  return exit.ok
}

async function restoreVersion({ screen, connect, words, options }: CommandContext) {
  const [, name, hash] = words
  if (name === undefined || hash === undefined) {
    throw usageError('Name the tool and the version: toolcrib tools restore billing.refund HASH')
  }
  const { client } = await connect()
  const note = options.text('note')
  const path = `/tools/${encodeURIComponent(name)}/versions/${encodeURIComponent(hash)}/restore`
  const body = note === undefined ? {} : { note }
  const restored = await client.read<PublishedAnswer>(path, { method: 'POST', body })
  if (screen.isJson) screen.json(restored)
  else screen.out(`${screen.style('green', '✓')} ${toSafeLine(name)} is version ${hash} again`)
  return exit.ok
}
