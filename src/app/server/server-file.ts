import { readFile, rm, writeFile, rename } from 'node:fs/promises'
import path from 'node:path'

/**
 * Lets commands on this machine find the running server. Readable by its owner only: it contains a
 * key.
 */
export interface ServerFile {
  url: string
  key: string
  pid: number
  /** Its startup options, for `doctor`: configuration file, tools folders and working directory. */
  config?: string
  tools?: readonly string[]
  cwd?: string
}

export function serverFilePath(dataDir: string): string {
  return path.join(dataDir, 'server.json')
}

/** Written to a temporary file and renamed, so that a reader never sees half of it. */
export async function writeServerFile(dataDir: string, content: ServerFile): Promise<void> {
  const file = serverFilePath(dataDir)
  const draft = `${file}.${content.pid}`
  await writeFile(draft, `${JSON.stringify(content)}\n`, { mode: 0o600 })
  await rename(draft, file)
}

/** The running server of this data folder; undefined if there is none, or it has exited. */
export async function readServerFile(dataDir: string): Promise<ServerFile | undefined> {
  try {
    const server = JSON.parse(await readFile(serverFilePath(dataDir), 'utf8')) as ServerFile
    process.kill(server.pid, 0)
    return server
  } catch {
    return undefined
  }
}

export async function removeServerFile(dataDir: string): Promise<void> {
  await rm(serverFilePath(dataDir), { force: true })
}
