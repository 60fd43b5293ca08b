import { z } from 'zod'
import type { BackupStream } from '../../core/backup/backup.ts'
import { operationsOf } from '../../core/operations/operation.ts'
import { queryFlag } from '../../core/operations/fields.ts'
import { requireOwner } from '../../core/operations/require-owner.ts'
import type { TakeBackup } from './take-backup.ts'

const define = operationsOf<TakeBackup>('Server')

const createBackup = define({
  http: 'POST /api/v1/backup',
  summary: 'Take a backup of the embedded store, and of workspaces',
  description: [
    'A tar archive with the records of all tenants as they are now, taken while the server runs; `toolcrib restore` turns it into a data folder. It does not contain the master key.',
    'Only for the owner of the installation. If the records are in PostgreSQL, use `pg_dump` for them: the request is refused without `workspaces`, and with it the archive has the files of workspaces alone.',
  ].join('\n\n'),
  query: z.strictObject({ workspaces: queryFlag('Include the files of workspaces') }),
  needs: 'signed-in',
  agents: 'none',
  answer: {
    description: 'The archive',
    schema: z.custom<BackupStream>(),
    stream: { types: ['application/x-tar'] },
  },
  async run(options, { caller, parts: take }) {
    requireOwner(caller, 'Only the owner of this installation may take a backup')
    return take(caller, options)
  },
})

/** Everything that can be done with backups, by library method. */
export const backupOperations = { createBackup }
