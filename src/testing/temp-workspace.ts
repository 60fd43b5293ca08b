import {
  access,
  lstat,
  mkdir,
  mkdtemp,
  open,
  readdir,
  readFile,
  realpath,
  rename,
  rm,
  writeFile,
} from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { type ErrorCode, ToolError } from '../core/kernel/errors.ts'
import type { Workspace, WorkspaceEntry } from '../core/kernel/context/workspace.ts'

/**
 * A workspace on a temporary folder, for tests of tools. It keeps paths inside by looking at them,
 * which is enough for a test and no defence: the server's own walks from a pinned root.
 */
export interface TempWorkspace extends Workspace, AsyncDisposable {
  readonly folder: string
}

export async function openTempWorkspace(files: Record<string, string | Uint8Array> = {}) {
  const folder = await realpath(await mkdtemp(path.join(tmpdir(), 'toolcrib-workspace-')))
  const workspace = createWorkspace(folder)
  for (const [name, content] of Object.entries(files)) await workspace.write(name, content)
  return workspace
}

function createWorkspace(folder: string): TempWorkspace {
  const toFull = (name: string) => {
    const full = path.resolve(folder, name)
    if (full !== folder && !full.startsWith(`${folder}${path.sep}`)) {
      throw new ToolError('invalid_input', `${name} leads out of the workspace`)
    }
    return full
  }
  const entryOf = async (full: string): Promise<WorkspaceEntry> => {
    const facts = await lstat(full).catch(toToolError(full))
    const kind = facts.isFile() ? 'file' : facts.isDirectory() ? 'folder' : 'other'
    return {
      path: path.relative(folder, full),
      kind: facts.isSymbolicLink() ? 'link' : kind,
      bytes: facts.size,
      modifiedAt: facts.mtime.toISOString(),
    }
  }
  const walk = async (name: string, recursive: boolean): Promise<WorkspaceEntry[]> => {
    const names = await readdir(toFull(name), { recursive }).catch(toToolError(name))
    const entries = await Promise.all(names.map((one) => entryOf(path.join(toFull(name), one))))
    return entries.sort((a, b) => (a.path < b.path ? -1 : 1))
  }
  const cut = <T>(all: T[], limit: number) => ({
    entries: all.slice(0, limit),
    isPartial: all.length > limit,
  })
  const workspace: TempWorkspace = {
    facts: async () => ({ id: 'ws_test', mode: 'free' }),
    folder,
    usage: async () => {
      const all = (await walk('.', true)).filter(({ kind }) => kind === 'file')
      const bytes = all.reduce((sum, entry) => sum + entry.bytes, 0)
      return { bytes, files: all.length, maxBytes: 1e9, maxFiles: 1e5 }
    },
    stat: (name) =>
      entryOf(toFull(name)).catch((error: ToolError) => {
        if (error.code === 'not_found') return undefined
        throw error
      }),
    list: async (name, { recursive = false, limit }) => cut(await walk(name, recursive), limit),
    read: async (name, { offset = 0, maxBytes = 1_048_576 } = {}) => {
      const entry = await entryOf(toFull(name))
      if (entry.kind !== 'file') throw new ToolError('invalid_input', `${name} is not a file`)
      await using file = await open(toFull(name))
      const bytes = Buffer.alloc(Math.max(0, Math.min(maxBytes, entry.bytes - offset)))
      await file.read(bytes, 0, bytes.length, offset)
      return { entry, bytes, isPartial: offset + bytes.length < entry.bytes }
    },
    write: async (name, content, { overwrite = false } = {}) => {
      if (!overwrite) await assertFree(toFull(name), name)
      await mkdir(path.dirname(toFull(name)), { recursive: true })
      await writeFile(toFull(name), content)
      return entryOf(toFull(name))
    },
    edit: async (name, change) => {
      const text = await readFile(toFull(name), 'utf8').catch(toToolError(name))
      await writeFile(toFull(name), change(text))
      return entryOf(toFull(name))
    },
    makeFolder: async (name) => {
      await mkdir(toFull(name), { recursive: true })
      return entryOf(toFull(name))
    },
    move: async (from, to, { overwrite = false } = {}) => {
      if (!overwrite) await assertFree(toFull(to), to)
      await mkdir(path.dirname(toFull(to)), { recursive: true })
      await rename(toFull(from), toFull(to)).catch(toToolError(from))
      return entryOf(toFull(to))
    },
    delete: async (name, { recursive = false } = {}) => {
      const { kind } = await entryOf(toFull(name))
      if (kind === 'folder' && !recursive && (await readdir(toFull(name))).length > 0) {
        throw new ToolError('conflict', `${name} is not empty`)
      }
      await rm(toFull(name), { recursive: true })
    },
    glob: async (pattern, { path: below = '.', limit }) => {
      const all = await walk(below, true)
      const fits = (entry: WorkspaceEntry) =>
        entry.kind === 'file' && path.matchesGlob(path.relative(below, entry.path), pattern)
      return cut(all.filter(fits), limit)
    },
    grep: async ({ pattern, path: below = '.', files = '**', ignoreCase = false, limit }) => {
      const { entries } = await workspace.glob(files, { path: below, limit: 1e6 })
      const regex = new RegExp(pattern, ignoreCase ? 'i' : '')
      const matches = []
      for (const entry of entries) {
        const lines = (await readFile(toFull(entry.path), 'utf8')).split('\n')
        matches.push(
          ...lines.flatMap((text, index) =>
            regex.test(text) ? [{ path: entry.path, line: index + 1, text }] : [],
          ),
        )
      }
      const isPartial = matches.length > limit
      return { matches: matches.slice(0, limit), isPartial, filesRead: entries.length }
    },
    [Symbol.asyncDispose]: () => rm(folder, { recursive: true, force: true }),
  }
  return workspace
}

async function assertFree(full: string, name: string): Promise<void> {
  const isThere = await access(full).then(
    () => true,
    () => false,
  )
  if (isThere) throw new ToolError('conflict', `${name} exists already`)
}

function toToolError(name: string) {
  return (error: unknown): never => {
    const codes: Record<string, ErrorCode> = { ENOENT: 'not_found', ENOTDIR: 'not_found' }
    const code = codes[(error as NodeJS.ErrnoException).code ?? ''] ?? 'invalid_input'
    throw new ToolError(code, `${name}: ${(error as Error).message}`)
  }
}
