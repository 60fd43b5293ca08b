import { readFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { ToolError } from '../../../core/kernel/errors.ts'
import type { Connection } from '../client/find-server.ts'

export interface BackupKey {
  content: Uint8Array
  /** Throws if the keys were rotated during the backup: it may then need another key. */
  assertUnchanged(): Promise<void>
}

/** The master key for a backup: read from the data folder here, never sent by a server. */
export async function findBackupKey(
  { client, kind }: Connection,
  dataFolder: string,
): Promise<BackupKey> {
  const file = join(dataFolder, 'master.key')
  if (kind === 'address') throw notHere('the server is named by its address')
  const { place } = await client.read<{ place: string }>('/keyring')
  if (resolve(place) !== file) throw notHere(`the master key comes from ${place}`)
  const content = await readFile(file)
  return {
    content,
    async assertUnchanged() {
      if (content.equals(await readFile(file))) return
      throw new ToolError('conflict', 'The master keys were changed while the backup was taken.', {
        retryable: true,
        fix: 'Remove that file and take another backup.',
      })
    },
  }
}

function notHere(why: string): ToolError {
  return new ToolError(
    'invalid_request',
    `The master key cannot be included in the backup: ${why}.`,
    {
      fix: 'Omit --with-key, and store the key with your other secrets.',
    },
  )
}
