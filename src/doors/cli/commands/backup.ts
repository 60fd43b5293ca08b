import { resolve } from 'node:path'
import type { Command, CommandContext } from '../command.ts'
import type { BackupReport } from '../environment.ts'
import { exit } from '../exit-codes.ts'
import { toSafeLine } from '../output/safe-text.ts'
import type { Screen } from '../output/screen.ts'
import { usageError } from '../parse-options.ts'
import { findBackupKey } from '../backup/find-backup-key.ts'

/** `toolcrib backup`: the records of an embedded crib in one file. */
export const backupCommand: Command = {
  summary: 'Back up an embedded store into a file, even while its server runs.',
  usage: ['backup [--to FILE|DIR] [--with-key]', 'backup verify <file>'],
  options: {
    to: { type: 'string', value: 'PATH', summary: 'file to write, or folder to write it in (.)' },
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
    'With PostgreSQL, use pg_dump, and keep the master key.',
  ],
  examples: [
    'toolcrib backup --to /var/backups',
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
  const response = await connection.client.send('/backup', { method: 'POST' })
  const written = await environment.writeBackup(response, {
    to: options.text('to'),
    cwd: environment.cwd,
    ...(key !== undefined && { key: key.content }),
  })
  if (key !== undefined) await key.assertUnchanged()
  const report = { ...written, hasMasterKey: key !== undefined }
  if (screen.isJson) screen.json(report)
  else showTaken(screen, report)
  return exit.ok
}

function showTaken(
  screen: Screen,
  { file, bytes, hasMasterKey }: { file: string; bytes: number; hasMasterKey: boolean },
): void {
  const size = `${(bytes / 1024 / 1024).toFixed(1)} MB`
  screen.out(`${screen.style('green', '✓')} ${toSafeLine(file)} (${size})`)
  screen.out(
    hasMasterKey
      ? '! It includes the master key: anybody with the file can read every secret.'
      : '! It does not include the master key. Keep a copy separately: a backup cannot be used without its key.',
  )
}

async function verify({ environment, screen, server }: CommandContext, name: string) {
  const file = resolve(environment.cwd, name)
  const report = await environment.verifyBackup({ file, data: server.data })
  if (screen.isJson) screen.json({ file, ...report })
  else showReport(screen, 'The backup is whole', report)
  return exit.ok
}

/** The result of checking a backup. */
export function showReport(screen: Screen, done: string, report: BackupReport): void {
  const rowsOf = (name: string) =>
    report.tables.find(({ table }) => table === name)?.rows.toLocaleString('en') ?? '0'
  screen.out(`${screen.style('green', '✓')} ${done}: taken ${toSafeLine(report.createdAt)}`)
  screen.out(`  ${rowsOf('calls')} calls, ${rowsOf('events')} events, ${rowsOf('tenants')} tenants`)
  if (report.lastCallAt !== undefined) screen.out(`  last call ${toSafeLine(report.lastCallAt)}`)
  if (report.isKeyChecked) screen.out('  the master key fits')
  else screen.out('! No master key was checked: put master.key into the data folder.')
}
