import type { PackReason, WorkspacesSummary } from '../../../core/backup/backup.ts'
import type { BackupReport } from '../environment.ts'
import { toSafeLine } from '../output/safe-text.ts'
import type { Screen } from '../output/screen.ts'

/** The result of checking a backup. */
export function showReport(screen: Screen, done: string, report: BackupReport): void {
  const rowsOf = (name: string) =>
    report.tables.find(({ table }) => table === name)?.rows.toLocaleString('en') ?? '0'
  screen.out(`${screen.style('green', '✓')} ${done}: taken ${toSafeLine(report.createdAt)}`)
  if (report.workspaces !== undefined) showWorkspaces(screen, report.workspaces)
  if (report.tables.length === 0) {
    screen.out('  no records: they are in PostgreSQL')
    return
  }
  screen.out(`  ${rowsOf('calls')} calls, ${rowsOf('events')} events, ${rowsOf('tenants')} tenants`)
  if (report.lastCallAt !== undefined) screen.out(`  last call ${toSafeLine(report.lastCallAt)}`)
  if (report.isKeyChecked) screen.out('  the master key fits')
  else screen.out('! No master key was checked: put master.key into the data folder.')
}

const reasons: Readonly<Record<PackReason, string>> = {
  changed: 'changed while it was copied, so it may be mixed from two moments',
  'too large': 'left out: beyond twice the size that a workspace may have',
  linked: 'left out: it has a hard link that leads out of the workspace',
  special: 'left out: not a file, folder or link',
  unreadable: 'left out: the server may not read it',
  unnamed: 'left out: a name in it is not UTF-8, too deep or closed',
}
const mostShown = 10

/** The workspaces in a backup, with the files that are not as they should be. */
export function showWorkspaces(screen: Screen, summary: WorkspacesSummary): void {
  const { count, files, bytes, noted, notes } = summary
  const size = `${files.toLocaleString('en')} files and folders, ${toMegabytes(bytes)}`
  screen.out(`  ${count.toLocaleString('en')} ${count === 1 ? 'workspace' : 'workspaces'}: ${size}`)
  for (const { workspace, path, reason } of notes.slice(0, mostShown)) {
    screen.out(`! ${toSafeLine(`${workspace}/${path}`)} ${reasons[reason]}`)
  }
  if (noted > mostShown) screen.out(`! and ${noted - mostShown} more`)
}

export function toMegabytes(bytes: number): string {
  return `${(bytes / 1024 / 1024).toFixed(1)} MB`
}
