import { ToolError } from '../../core/kernel/errors.ts'

const longest = 4096
const mostParts = 64
const longestPart = 255

/** A path as a caller sent it, taken apart. `..` is still in it; `.` and empty parts are not. */
export interface WorkspacePath {
  parts: readonly string[]
  /** It ends in a slash, so it can only mean a folder. */
  isFolder: boolean
}

/** Takes a relative path apart. Throws `invalid_input` for one that no system could mean well. */
export function parseWorkspacePath(path: string): WorkspacePath {
  const fault = findFault(path)
  if (fault !== undefined) throw badPath(path, fault)
  const parts = path.split('/').filter((part) => part !== '' && part !== '.')
  if (parts.length > mostParts) throw badPath(path, `has more than ${mostParts} parts`)
  if (parts.some((part) => Buffer.byteLength(part) > longestPart)) {
    throw badPath(path, `has a name of more than ${longestPart} bytes`)
  }
  return { parts, isFolder: path.endsWith('/') || path.endsWith('/.') || path.endsWith('/..') }
}

function findFault(path: string): string | undefined {
  if (path.length > longest || Buffer.byteLength(path) > longest) {
    return `is longer than ${longest} bytes`
  }
  if (path.startsWith('/')) return 'is absolute'
  if (path.includes('\0')) return 'contains a NUL character'
  // Two such names would become the same bytes on the disk.
  if (!path.isWellFormed()) return 'is not well-formed Unicode'
  return undefined
}

/** A path that can't be used, with the reason. */
export function badPath(path: string, fault: string): ToolError {
  return new ToolError('invalid_input', `The path ${quotePath(path)} ${fault}`, {
    fix: 'Give a path relative to the workspace, with / between its parts, such as src/main.ts.',
  })
}

/** A path for a message: short, and on one line. */
export function quotePath(path: string): string {
  return JSON.stringify(path.length > 200 ? `${path.slice(0, 200)}…` : path)
}
