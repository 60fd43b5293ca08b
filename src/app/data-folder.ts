import { mkdir, readFile, stat, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { ToolError } from '../core/errors.ts'

/** Makes the data folder, readable by its owner alone. */
export async function makeDataFolder(folder: string): Promise<void> {
  try {
    await makeFolder(folder)
  } catch (error) {
    throw notWritable(folder, error)
  }
}

/** What a system says when a file or folder is not ours to use, in our words; anything else as it is. */
export function notWritable(folder: string, error: unknown): unknown {
  const { code, message } = error as NodeJS.ErrnoException
  const known = ['EACCES', 'EPERM', 'EROFS', 'ENOTDIR', 'EEXIST', 'ENOENT', 'EINVAL']
  if (code === undefined || !known.includes(code)) return error
  return new ToolError('data_read_only', `The data folder ${folder} can't be used: ${message}`, {
    fix: 'Change its owner or rights, or name another with --data or TOOLCRIB_DATA.',
    cause: error,
  })
}

/** Step by step: Node's own recursive way never ends where a file system refuses, as /proc does. */
async function makeFolder(folder: string): Promise<void> {
  const facts = await stat(folder).catch(() => undefined)
  if (facts?.isDirectory()) return
  const parent = path.dirname(folder)
  if (parent !== folder) await makeFolder(parent)
  await mkdir(folder, { mode: 0o700 }).catch((error: NodeJS.ErrnoException) => {
    // Somebody else made it in this moment.
    if (error.code !== 'EEXIST' || facts !== undefined) throw error
  })
}

const movedFile = 'moved.json'

/** Leaves word in an embedded crib that it lives elsewhere now; without the password. */
export async function markMoved(folder: string, databaseUrl: string): Promise<void> {
  const url = new URL(databaseUrl)
  const to = `${url.protocol}//${url.host}${url.pathname}`
  await writeFile(
    path.join(folder, movedFile),
    `${JSON.stringify({ to, at: new Date().toISOString() })}\n`,
  )
}

/** A crib that was moved is not used on by mistake: its record would be in two places. */
export async function refuseMoved(folder: string): Promise<void> {
  const file = path.join(folder, movedFile)
  const text = await readFile(file, 'utf8').catch(() => undefined)
  if (text === undefined) return
  const { to } = JSON.parse(text) as { to: string }
  throw new ToolError('invalid_config', `The crib in ${folder} was moved to ${to}`, {
    fix: `Give --database with that address, or remove ${file} to go on with what is here.`,
  })
}
