import { z } from 'zod'
import type { BackupStream } from '../../core/backup/backup.ts'
import type { Caller } from '../../core/kernel/call.ts'
import { operationsOf } from '../../core/operations/operation.ts'
import { requireOwner } from '../../core/operations/require-owner.ts'

const define = operationsOf<(caller: Caller) => Promise<BackupStream>>('Server')

const createBackup = define({
  http: 'POST /api/v1/backup',
  summary: 'Take a backup of the embedded store',
  description: [
    'A tar archive with the records of all tenants as they are now, taken while the server runs; `toolcrib restore` turns it into a data folder. It does not contain the master key.',
    'Only for the owner of the installation. Refused if the records are in PostgreSQL: use `pg_dump`.',
  ].join('\n\n'),
  needs: 'signed-in',
  agents: 'none',
  answer: {
    description: 'The archive',
    schema: z.custom<BackupStream>(),
    stream: { types: ['application/x-tar'] },
  },
  async run(_input, { caller, parts: take }) {
    requireOwner(caller, 'Only the owner of this installation may take a backup')
    return take(caller)
  },
})

/** Everything that can be done with backups, by library method. */
export const backupOperations = { createBackup }
