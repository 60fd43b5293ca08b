import { createHash } from 'node:crypto'
import { readdirSync, readFileSync, statSync } from 'node:fs'
import path from 'node:path'

/** One file of the console, as it is sent. */
export interface KeptFile {
  bytes: Uint8Array<ArrayBuffer>
  tag: string
}

/** The content of a folder when it was read. */
export interface ConsoleBuild {
  /** Changes whenever files of the build come or go. */
  readonly mark: string
  readonly names: ReadonlySet<string>
  /** A file by its path; undefined where it is not there, or not any more. */
  read(name: string): KeptFile | undefined
  /** The files read from it so far. */
  readonly kept: ReadonlyMap<string, KeptFile>
}

/**
 * Looks at a build. A file is read when it is first asked for. Pages of the build before may still
 * be open: what had been read of their hashed files is kept, for that one build.
 */
export function openBuild(folder: string, mark: string, before?: ConsoleBuild): ConsoleBuild {
  const names = new Set(
    readdirSync(folder, { recursive: true, encoding: 'utf8' })
      .filter((name) => statSync(path.join(folder, name), { throwIfNoEntry: false })?.isFile())
      .map((name) => `/${name.split(path.sep).join('/')}`),
  )
  const older = new Map([...(before?.kept ?? [])].filter(([name]) => isForGood(name)))
  const kept = new Map<string, KeptFile>()
  const read = (name: string) => {
    const known = kept.get(name)
    if (known !== undefined) return known
    const found = (names.has(name) ? readKept(folder, name) : undefined) ?? older.get(name)
    if (found !== undefined) kept.set(name, found)
    return found
  }
  // The page is there for as long as the server is, whatever becomes of the folder.
  for (const name of [...names].filter((one) => one.startsWith('/index.html'))) read(name)
  return { mark, names, read, kept }
}

/** Distinguishes one build from the next; undefined while there is no complete one. */
export function markOf(folder: string): string | undefined {
  const places = ['index.html', '.', 'assets'].map((name) =>
    statSync(path.join(folder, name), { throwIfNoEntry: false }),
  )
  if (places.some((place) => place === undefined)) return undefined
  return places.map((place) => place?.mtimeMs).join(' ')
}

/** Names under /assets hold a hash of what is in them: they never change. */
export function isForGood(name: string): boolean {
  return name.startsWith('/assets/')
}

/** Files of a build that is being replaced may disappear a moment later. */
function readKept(folder: string, name: string): KeptFile | undefined {
  try {
    const bytes = new Uint8Array(readFileSync(path.join(folder, name)))
    const tag = `"${createHash('sha256').update(bytes).digest('base64url').slice(0, 16)}"`
    return { bytes, tag }
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined
    throw error
  }
}
