import { appendFile, readFile, stat } from 'node:fs/promises'
import path from 'node:path'
import { isRecord } from '../../../core/kernel/json/json-type.ts'
import { hasErrno } from '../file-error.ts'

/** A file as it was at the baseline. */
export interface KnownFile {
  size: number
  mtimeMs: number
}

/** The files of a workspace at its baseline, by path. Empty for a new one. */
export interface Manifest {
  read(): Promise<ReadonlyMap<string, KnownFile>>
  add(file: string, known: KnownFile): Promise<void>
}

/** A list to which lines are added; the last one about a file counts. Nodes may share it. */
export function openManifest(folder: string): Manifest {
  const file = path.join(folder, manifestName)
  let cached: { mark: string; files: Map<string, KnownFile> } | undefined
  async function read(): Promise<Map<string, KnownFile>> {
    const mark = await markOf(file)
    if (cached?.mark === mark) return cached.files
    const text = mark === '' ? '' : await readFile(file, 'utf8')
    cached = { mark, files: parseManifest(text) }
    return cached.files
  }
  return {
    read,
    async add(name, { size, mtimeMs }) {
      // A line that a crash has cut off ends here.
      await appendFile(file, `\n${JSON.stringify({ path: name, size, mtimeMs })}\n`, {
        mode: 0o600,
      })
    },
  }
}

export const manifestName = 'manifest.jsonl'

/** The text of a manifest with these files. */
export function printManifest(files: ReadonlyMap<string, KnownFile>): string {
  return [...files].map(([name, known]) => `${JSON.stringify({ path: name, ...known })}\n`).join('')
}

function parseManifest(text: string): Map<string, KnownFile> {
  const files = new Map<string, KnownFile>()
  for (const line of text.split('\n')) {
    const entry = line === '' ? undefined : parseLine(line)
    if (entry !== undefined) files.set(entry.path, { size: entry.size, mtimeMs: entry.mtimeMs })
  }
  return files
}

function parseLine(line: string): (KnownFile & { path: string }) | undefined {
  try {
    const value: unknown = JSON.parse(line)
    if (!isRecord(value)) return undefined
    const { path: name, size, mtimeMs } = value
    const isWhole =
      typeof name === 'string' && typeof size === 'number' && typeof mtimeMs === 'number'
    return isWhole ? { path: name, size, mtimeMs } : undefined
  } catch {
    return undefined
  }
}

/** Changes with the file; empty if there is none. */
async function markOf(file: string): Promise<string> {
  try {
    const { ino, size, mtimeMs } = await stat(file)
    return `${ino} ${size} ${mtimeMs}`
  } catch (error) {
    if (hasErrno(error, 'ENOENT')) return ''
    throw error
  }
}
