import { lstat, opendir } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { ToolError } from '../../../core/kernel/errors.ts'

/** A file to read: its path, and its name as given by the user. */
export interface NamedFile {
  path: string
  name: string
}

export interface WalkOptions {
  cwd: string
  /** The most files to walk; `onCut` is called if there are more. */
  maxFiles: number
  onCut(): void
  /** A folder that could not be opened. */
  onUnreadable(name: string): void
}

/** Packed objects and installed packages: files of others, or compressed. */
const leftOut = new Set(['.git', 'node_modules'])
const maxDepth = 64

/** The files of these names; folders with everything in them. Links are not followed. */
export async function* walkFiles(
  names: readonly string[],
  options: WalkOptions,
): AsyncGenerator<NamedFile> {
  let count = 0
  for (const name of names) {
    for await (const file of walk({ name, path: resolve(options.cwd, name) }, options)) {
      if (++count > options.maxFiles) return options.onCut()
      yield file
    }
  }
}

async function* walk(start: NamedFile, options: WalkOptions): AsyncGenerator<NamedFile> {
  const found = await lstat(start.path).catch((error: NodeJS.ErrnoException) => {
    throw new ToolError('not_found', `${start.name} can't be read: ${error.code ?? error.message}`)
  })
  if (found.isDirectory()) yield* walkFolder(start, options, 0)
  else yield start
}

async function* walkFolder(
  folder: NamedFile,
  options: WalkOptions,
  depth: number,
): AsyncGenerator<NamedFile> {
  const entries = depth > maxDepth ? undefined : await opendir(folder.path).catch(() => undefined)
  if (entries === undefined) return options.onUnreadable(folder.name)
  for await (const entry of entries) {
    const one = { path: join(folder.path, entry.name), name: join(folder.name, entry.name) }
    if (entry.isDirectory() && !leftOut.has(entry.name)) yield* walkFolder(one, options, depth + 1)
    else if (entry.isFile()) yield one
  }
}
