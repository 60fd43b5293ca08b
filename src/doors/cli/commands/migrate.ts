import type { Command } from '../command.ts'
import type { MigrateProgress } from '../environment.ts'
import { exit } from '../exit-codes.ts'
import { toSafeLine } from '../output/safe-text.ts'
import type { Screen } from '../output/screen.ts'
import { showTable } from '../output/table.ts'
import { usageError } from '../parse-options.ts'

/** `toolcrib migrate`: an embedded crib moves to PostgreSQL. */
export const migrateCommand: Command = {
  summary: 'Copy all data of an embedded store to PostgreSQL.',
  usage: ['migrate --to URL'],
  options: { to: { type: 'string', value: 'URL', summary: 'the PostgreSQL database to fill' } },
  maxWords: 0,
  notes: ['Stop the server first. The embedded data is not changed.'],
  examples: ['toolcrib migrate --to postgres://crib@db.example.com/crib'],
  async run({ environment, server, screen, options }) {
    const to = options.text('to')
    if (to === undefined) {
      throw usageError('migrate needs a target.', 'Write toolcrib migrate --to postgres://…')
    }
    if (!/^postgres(ql)?:\/\//.test(to)) {
      throw usageError('--to takes a URL that begins with postgres://.')
    }
    const report = await environment.migrate({ ...server, to }, (progress) =>
      showProgress(screen, progress),
    )
    if (screen.isJson) {
      screen.json(report)
      return exit.ok
    }
    if (screen.isErrTty) screen.draw('\r\u001b[K')
    showTable(screen, {
      columns: [{ title: 'table' }, { title: 'rows', align: 'right' }],
      rows: report.tables.map(({ table, rows }) => [toSafeLine(table), String(rows)]),
    })
    screen.out(`${screen.style('green', '✓')} moved in ${(report.durationMs / 1000).toFixed(1)} s`)
    screen.out(
      '→ Start with --database or set it in the configuration: the old folder is no longer used.',
    )
    return exit.ok
  },
}

function showProgress(screen: Screen, { table, done, total }: MigrateProgress): void {
  if (screen.isJson || !screen.isErrTty) return
  screen.draw(`\r\u001b[K${toSafeLine(table)} ${done}${total === undefined ? '' : `/${total}`}`)
}
