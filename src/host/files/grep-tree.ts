import type { WorkspaceMatch } from '../../core/kernel/context/workspace.ts'
import { isToolError } from '../../core/kernel/errors.ts'
import { createBreather } from './breather.ts'
import { hasErrno } from './file-error.ts'
import type { Folder } from './folder.ts'
import { compilePathGlob } from './glob-pattern.ts'
import { openFile, type ReadableFile, readPart } from './open-file.ts'
import { createTextSearch } from './text-search.ts'
import { type Found, walkTree } from './walk-tree.ts'

interface Search {
  pattern: string
  files?: string
  ignoreCase?: boolean
  limit: number
  signal?: AbortSignal
  /** Put in front of the paths of matches. */
  prefix: string
  found: WorkspaceMatch[]
}

/** The rest of a larger file is not searched. */
const mostBytes = 16_777_216
const sniffedBytes = 8192

/** Searches every text file below a folder, in turns with other work. */
export async function grepTree(folder: Folder, search: Search) {
  const { pattern, files, ignoreCase, limit, signal, prefix, found } = search
  const matchesFile = files === undefined ? () => true : fileGlob(files)
  const { lines } = createTextSearch(pattern, { ignoreCase: ignoreCase ?? false })
  const breather = createBreather(signal)
  let filesRead = 0
  let isCut = false
  let isFull = false
  const { isPartial } = await walkTree(folder, {
    signal,
    async visit(entry) {
      if (entry.kind !== 'file' || !matchesFile(entry.path)) return true
      const text = await readText(entry)
      if (text === undefined) return true
      filesRead += 1
      isCut ||= text.isCut
      for (const match of lines(text.text)) {
        if (match === undefined) await breather.pause()
        else if (found.length === limit) {
          isFull = true
          return false
        } else found.push({ path: prefix + entry.path, ...match })
      }
      return true
    },
  })
  return { matches: found, isPartial: isPartial || isCut || isFull, filesRead }
}

/** `*.ts` means such files in every folder. */
function fileGlob(files: string): (path: string) => boolean {
  return compilePathGlob(files.includes('/') ? files : `**/${files}`)
}

/** Undefined for a file that is binary, deleted, or not readable. */
async function readText({ folder, name, path }: Found) {
  let file: ReadableFile | undefined
  try {
    file = openFile({ folder, name, path, close: () => undefined }, path)
    const length = Math.min(file.facts.size, mostBytes)
    const bytes = await readPart(file.fd, { offset: 0, length })
    const isBinary = bytes.subarray(0, sniffedBytes).includes(0)
    if (isBinary) return undefined
    return { text: decode(bytes), isCut: file.facts.size > length }
  } catch (error) {
    if (isToolError(error) || hasErrno(error, 'ENOENT', 'EACCES', 'EPERM', 'ELOOP'))
      return undefined
    throw error
  } finally {
    file?.close()
  }
}

function decode({ buffer, byteOffset, byteLength }: Uint8Array): string {
  return Buffer.from(buffer, byteOffset, byteLength).toString('utf8')
}
