import { resolve } from 'node:path'
import type { Command, CommandContext } from '../command.ts'
import type { WrittenBackup } from '../environment.ts'
import { exit } from '../exit-codes.ts'
import { toSafeLine } from '../output/safe-text.ts'
import type { Screen } from '../output/screen.ts'
import { usageError } from '../parse-options.ts'
import { createProgress } from '../backup/byte-progress.ts'
import { findBackupKey } from '../backup/find-backup-key.ts'
import { showReport, showWorkspaces, toMegabytes } from '../backup/show-backup.ts'

/** `toolcrib backup`: the records of an embedded crib, and the files of workspaces, in one file. */
export const backupCommand: Command = {
  summary: 'Back up an embedded store into a file, even while its server runs.',
  usage: ['backup [--to FILE|DIR] [--workspaces] [--with-key]', 'backup verify <file>'],
  options: {
    to: { type: 'string', value: 'PATH', summary: 'file to write, or folder to write it in (.)' },
    workspaces: { type: 'boolean', summary: 'include the files of workspaces' },
    'with-key': {
      type: 'boolean',
      summary: 'include the master key: anybody with the file can then read all secrets',
    },
  },
  maxWords: 2,
  needsData: true,
  firstWord: ['verify'],
  notes: [
    'The file contains all data of all tenants. Without --with-key it does not include the master key: keep a copy of the key separately, because a backup cannot be used without it.',
    'verify unpacks a backup into a temporary folder, opens it and reads every row.',
    'With PostgreSQL, use pg_dump, and keep the master key. With --workspaces, the file has the files of workspaces alone.',
  ],
  examples: [
    'toolcrib backup --to /var/backups --workspaces',
    'toolcrib backup verify toolcrib-backup-2026-03-01-020000.tar.gz',
  ],
  run(context) {
    const [action, file, ...more] = context.words
    if (action === undefined) return take(context)
    if (action !== 'verify' || more.length > 0) {
      throw usageError(
        `There is no action backup ${action}.`,
        'Write toolcrib backup, or toolcrib backup verify FILE.',
      )
    }
    if (file === undefined) throw usageError('backup verify needs a file.')
    return verify(context, file)
  },
}

async function take(context: CommandContext): Promise<number> {
  const { connect, environment, options, screen, server } = context
  const connection = await connect()
  const key = options.flag('with-key') ? await findBackupKey(connection, server.data) : undefined
  const query = options.flag('workspaces') ? '?workspaces=true' : ''
  const response = await connection.client.send(`/backup${query}`, { method: 'POST' })
  const progress = createProgress(screen, 'received')
  const written = await environment
    .writeBackup(response, {
      to: options.text('to'),
      cwd: environment.cwd,
      onProgress: progress.show,
      ...(key !== undefined && { key: key.content }),
    })
    .finally(progress.end)
  if (key !== undefined) await key.assertUnchanged()
  const report = { ...written, hasMasterKey: key !== undefined }
  if (screen.isJson) screen.json(report)
  else showTaken(screen, report)
  return exit.ok
}

function showTaken(screen: Screen, taken: WrittenBackup & { hasMasterKey: boolean }): void {
  const { file, bytes, hasDatabase, hasMasterKey, workspaces } = taken
  screen.out(`${screen.style('green', '✓')} ${toSafeLine(file)} (${toMegabytes(bytes)})`)
  if (workspaces !== undefined) showWorkspaces(screen, workspaces)
  if (!hasDatabase) {
    screen.out('! It does not include the records, which are in PostgreSQL: use pg_dump for them.')
  } else if (workspaces === undefined) {
    screen.out('  It does not include the files of workspaces: --workspaces adds them.')
  }
  if (hasMasterKey) {
    screen.out('! It includes the master key: anybody with the file can read every secret.')
  } else if (hasDatabase) {
    screen.out(
      '! It does not include the master key. Keep a copy separately: a backup cannot be used without its key.',
    )
  }
}

async function verify({ environment, screen, server }: CommandContext, name: string) {
  const file = resolve(environment.cwd, name)
  const progress = createProgress(screen, 'read')
  const report = await environment
    .verifyBackup({ file, data: server.data, onProgress: progress.show })
    .finally(progress.end)
  if (screen.isJson) screen.json({ file, ...report })
  else showReport(screen, 'The backup is whole', report)
  return exit.ok
}
