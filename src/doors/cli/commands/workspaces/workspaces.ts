import type { CommandContext } from '../../command.ts'
import { exit } from '../../exit-codes.ts'
import type { ByHand } from '../../operations/to-command.ts'
import { toSafeLine } from '../../output/safe-text.ts'
import { usageError } from '../../parse-options.ts'
import { showChanges } from './show-changes.ts'

/** The verbs of `toolcrib workspaces` that take bytes. */
export const workspacesByHand: ByHand = {
  views: { changes: showChanges },
  actions: {
    download: {
      usage: ['workspaces download <id> [--path PATH] [--to PATH]'],
      options: {
        path: { type: 'string', value: 'PATH', summary: 'one file of it (everything, as a zip)' },
        to: {
          type: 'string',
          value: 'PATH',
          summary: 'file to write, or folder to write it in (.)',
        },
      },
      run: download,
    },
  },
}

async function download(context: CommandContext): Promise<number> {
  const { connect, environment, options, screen, words } = context
  const [, id] = words
  if (id === undefined) {
    throw usageError('The workspace is missing.', 'Write toolcrib workspaces download <id>')
  }
  const file = options.text('path')
  const place = `/workspaces/${encodeURIComponent(id)}`
  const { client } = await connect()
  const response = await client.send(
    file === undefined ? `${place}/archive` : `${place}/file?path=${encodeURIComponent(file)}`,
  )
  const written = await environment.writeDownload(response, {
    to: options.text('to'),
    cwd: environment.cwd,
    name: file?.split('/').at(-1) ?? `${id}.zip`,
  })
  if (screen.isJson) screen.json(written)
  else
    screen.out(`${screen.style('green', '✓')} ${toSafeLine(written.file)} (${written.bytes} bytes)`)
  return exit.ok
}
