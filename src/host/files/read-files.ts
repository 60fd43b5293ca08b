import type {
  Workspace,
  WorkspaceEntry,
  WorkspaceMatch,
} from '../../core/kernel/context/workspace.ts'
import { ToolError } from '../../core/kernel/errors.ts'
import { withFileErrors } from './file-error.ts'
import { findPlace, lookAt, type Place } from './find-place.ts'
import { type Folder, openFolderIn } from './folder.ts'
import { compilePathGlob } from './glob-pattern.ts'
import { openFile, readPages, readPart } from './open-file.ts'
import { readFolder, toEntry } from './read-folder.ts'
import { grepTree } from './grep-tree.ts'
import { walkTree } from './walk-tree.ts'
import { badPath } from './workspace-path.ts'

/** Without `maxBytes`, and as much as fits into one answer anyway. */
const usualBytes = 10_485_760
const mostBytes = 67_108_864

type Reading = Pick<Workspace, 'stat' | 'list' | 'read' | 'glob' | 'grep'>

/** The functions that change nothing. */
export function readingFiles(root: string): Reading {
  return {
    stat: (path) => withFileErrors(path, async () => statPath(root, path)),

    list(path, { recursive = false, limit }) {
      return inFolder(root, path, async (folder, prefix) => {
        assertLimit(limit)
        return recursive ? listTree(folder, prefix, limit) : listFolder(folder, prefix, limit)
      })
    },

    read: (path, options = {}) => withFileErrors(path, () => readFile(root, path, options)),

    glob(pattern, { path = '', limit }) {
      return inFolder(root, path, async (folder, prefix) => {
        assertLimit(limit)
        return listTree(folder, prefix, limit, compilePathGlob(pattern))
      })
    },

    grep({ path = '', ...search }) {
      const found: WorkspaceMatch[] = []
      return inFolder(root, path, async (folder, prefix) => {
        assertLimit(search.limit)
        return grepTree(folder, { ...search, prefix, found })
      })
    },
  }
}

/** The bytes of a file, in pages. */
export function openPages(root: string, path: string) {
  return withFileErrors(path, async () => {
    const place = findPlace(root, path, { follows: true })
    try {
      const file = openFile(place, path)
      return { entry: toEntry(place.path, file.facts), content: readPages(file) }
    } finally {
      place.close()
    }
  })
}

function statPath(root: string, path: string): WorkspaceEntry | undefined {
  let place: Place | undefined
  try {
    place = findPlace(root, path, { follows: false })
    const facts = lookAt(place.folder, place.name ?? '.')
    return facts && toEntry(place.path, facts)
  } catch (error) {
    // A folder above it is missing, so it is missing as well.
    if (error instanceof ToolError && error.code === 'not_found') return undefined
    throw error
  } finally {
    place?.close()
  }
}

async function readFile(
  root: string,
  path: string,
  { offset = 0, maxBytes = usualBytes }: { offset?: number; maxBytes?: number },
) {
  assertLimit(offset + 1)
  assertLimit(maxBytes)
  const place = findPlace(root, path, { follows: true })
  try {
    const file = openFile(place, path)
    try {
      const left = Math.max(0, file.facts.size - offset)
      const length = Math.min(left, maxBytes, mostBytes)
      const bytes = await readPart(file.fd, { offset, length })
      const isPartial = bytes.length < left && bytes.length === length
      return { entry: toEntry(place.path, file.facts), bytes, isPartial }
    } finally {
      file.close()
    }
  } finally {
    place.close()
  }
}

/** Opens the folder that a path names, and runs the step with the path that its entries begin with. */
function inFolder<T>(
  root: string,
  path: string,
  step: (folder: Folder, prefix: string) => Promise<T>,
): Promise<T> {
  return withFileErrors(path, async () => {
    const place = findPlace(root, path, { follows: true })
    try {
      const prefix = place.path === '' ? '' : `${place.path}/`
      if (place.name === undefined) return await step(place.folder, prefix)
      assertFolder(place, path)
      const folder = openFolderIn(place.folder, place.name)
      try {
        return await step(folder, prefix)
      } finally {
        folder.close()
      }
    } finally {
      place.close()
    }
  })
}

function assertFolder({ folder, name }: Place, path: string): void {
  const facts = lookAt(folder, name ?? '.')
  if (facts !== undefined && !facts.isDirectory()) throw badPath(path, 'is not a folder')
}

function listFolder(folder: Folder, prefix: string, limit: number) {
  const { names, isPartial } = readFolder(folder)
  const entries: WorkspaceEntry[] = []
  for (const { name } of names) {
    if (entries.length === limit) return { entries, isPartial: true }
    const facts = lookAt(folder, name)
    if (facts !== undefined) entries.push(toEntry(prefix + name, facts))
  }
  return { entries, isPartial }
}

/** Everything below a folder that matches. */
async function listTree(
  ...[folder, prefix, limit, matches = () => true]: [
    Folder,
    string,
    number,
    ((path: string) => boolean)?,
  ]
) {
  const entries: WorkspaceEntry[] = []
  let isFull = false
  const { isPartial } = await walkTree(folder, {
    visit(found) {
      if (!matches(found.path)) return true
      isFull = entries.length === limit
      if (isFull) return false
      const facts = lookAt(found.folder, found.name)
      if (facts !== undefined) entries.push(toEntry(prefix + found.path, facts))
      return true
    },
  })
  return { entries, isPartial: isPartial || isFull }
}

function assertLimit(limit: number): void {
  if (Number.isSafeInteger(limit) && limit > 0) return
  throw new ToolError('invalid_input', 'A limit must be a whole number above 0', {
    fix: 'Give a number such as 1000.',
  })
}
