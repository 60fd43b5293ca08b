import { rm, writeFile, rename } from 'node:fs/promises'
import path from 'node:path'

/** Where commands on this machine find the running server. Readable by its owner alone: it holds a key. */
export interface ServerFile {
  url: string
  key: string
  pid: number
}

export function serverFilePath(dataDir: string): string {
  return path.join(dataDir, 'server.json')
}

/** Written beside and renamed, so that a reader never sees half of it. */
export async function writeServerFile(dataDir: string, content: ServerFile): Promise<void> {
  const file = serverFilePath(dataDir)
  const draft = `${file}.${content.pid}`
  await writeFile(draft, `${JSON.stringify(content)}\n`, { mode: 0o600 })
  await rename(draft, file)
}

export async function removeServerFile(dataDir: string): Promise<void> {
  await rm(serverFilePath(dataDir), { force: true })
}
