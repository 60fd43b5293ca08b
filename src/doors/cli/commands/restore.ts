import { resolve } from 'node:path'
import type { Command } from '../command.ts'
import { exit } from '../exit-codes.ts'
import { usageError } from '../parse-options.ts'
import { createProgress } from '../backup/byte-progress.ts'
import { showReport } from '../backup/show-backup.ts'

/** `toolcrib restore`: a backup becomes a data folder. */
export const restoreCommand: Command = {
  summary: 'Create a data folder from a backup. Nothing is overwritten.',
  usage: ['restore <file> --data DIR'],
  options: {},
  maxWords: 1,
  notes: [
    'DIR must be new or empty, apart from a master.key. The backup is verified before it is moved there.',
    'A file with workspaces alone needs a DIR without a folder workspaces.',
    'Everything is as it was at the time of the backup: calls queued then are run, and keys revoked since then work again.',
  ],
  examples: ['toolcrib restore toolcrib-backup-2026-03-01-020000.tar.gz --data /var/lib/toolcrib'],
  async run({ environment, options, screen, server, words }) {
    const [name] = words
    if (name === undefined) throw usageError('restore needs the file of a backup.')
    if (options.text('data') === undefined) {
      throw usageError('restore needs the folder to fill.', 'Add --data DIR.')
    }
    const file = resolve(environment.cwd, name)
    const progress = createProgress(screen, 'read')
    const report = await environment
      .restore({ file, data: server.data, onProgress: progress.show })
      .finally(progress.end)
    if (screen.isJson) screen.json({ data: server.data, ...report })
    else showReport(screen, `Restored into ${server.data}`, report)
    return exit.ok
  },
}
