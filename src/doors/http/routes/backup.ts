import { exportReply } from '../streams/export-stream.ts'
import { defineRoute } from '../route.ts'
import type { Route } from '../route.ts'

const createBackup = defineRoute({
  method: 'post',
  path: '/api/v1/backup',
  tag: 'Server',
  summary: 'Take a backup of the embedded store',
  description: [
    'A tar archive with the records of all tenants as they are now, taken while the server runs; `toolcrib restore` makes a data folder of it. The master key is not in it.',
    'For the owner of the installation. Where the records are in PostgreSQL the request is refused: use `pg_dump`.',
  ].join('\n\n'),
  answers: { 200: { description: 'The archive', types: ['application/x-tar'] } },
  async handle(asked) {
    const { name, pieces, close } = await asked.door.api.createBackup(asked.caller)
    const file = { pieces, type: 'application/x-tar', filename: `${name}.tar` }
    try {
      return exportReply(asked, { ...file, onEnd: () => void close() })
    } catch (error) {
      await close()
      throw error
    }
  },
})

export const backupRoutes: readonly Route[] = [createBackup]
