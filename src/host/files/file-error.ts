import { isToolError, ToolError } from '../../core/kernel/errors.ts'
import { badPath, quotePath } from './workspace-path.ts'

type Make = (path: string, error: NodeJS.ErrnoException) => ToolError

/** The system's errors in the terms of a workspace. */
const meanings: Readonly<Record<string, Make>> = {
  ENOENT: notFound,
  EEXIST: (path) => exists(path),
  ENOTEMPTY: (path) =>
    new ToolError('conflict', `The folder ${quotePath(path)} is not empty`, {
      fix: 'Delete it with what is in it, or name another path.',
    }),
  ENOTDIR: (path) => badPath(path, 'goes through something that is not a folder'),
  EISDIR: (path) => badPath(path, 'is a folder'),
  ELOOP: (path) => badPath(path, 'goes through a link that leads outside'),
  ENAMETOOLONG: (path) => badPath(path, 'has a name that is too long for the disk'),
  EILSEQ: (path) => badPath(path, 'has a name that the disk does not allow'),
  EINVAL: (path) => badPath(path, 'has a name or place that the disk does not allow'),
  ENOSPC: (_, error) => unavailable('its disk is full', error),
  EDQUOT: (_, error) => unavailable('its disk quota is used up', error),
  EROFS: (_, error) => unavailable('its disk is read-only', error),
  EMFILE: (_, error) => unavailable('the server has too many files open', error),
  ENFILE: (_, error) => unavailable('the machine has too many files open', error),
  EACCES: (path, error) => forbidden(path, error),
  EPERM: (path, error) => forbidden(path, error),
}

/** The system's error with a code of ours. A path that a caller could mend is named. */
export function toFileError(error: unknown, path: string): unknown {
  if (isToolError(error)) return error
  const { code } = error as NodeJS.ErrnoException
  if (typeof code !== 'string' || !/^E[A-Z0-9]+$/.test(code)) return error
  const make = meanings[code]
  const cause = error as NodeJS.ErrnoException
  return make === undefined ? unavailable(`its disk reports ${code}`, cause) : make(path, cause)
}

/** Runs a step on this path, with errors of ours. */
export async function withFileErrors<T>(path: string, step: () => Promise<T>): Promise<T> {
  try {
    return await step()
  } catch (error) {
    throw toFileError(error, path)
  }
}

export function notFound(path: string): ToolError {
  return new ToolError('not_found', `There is no ${quotePath(path)} in the workspace`, {
    fix: 'List the folder to see what is there.',
  })
}

export function exists(path: string): ToolError {
  return new ToolError('conflict', `${quotePath(path)} exists already`, {
    fix: 'Name another path, or allow it to be replaced.',
  })
}

/** The place of the workspace does not work. Nothing was changed. */
export function unavailable(reason: string, cause?: unknown): ToolError {
  return new ToolError('workspace_unavailable', `The workspace can't be used: ${reason}`, {
    fix: 'Free space or repair the disk that holds workspaces.folder of the configuration.',
    ...(cause !== undefined && { cause }),
  })
}

function forbidden(path: string, cause: NodeJS.ErrnoException): ToolError {
  const message = `The server may not use ${quotePath(path)} of the workspace (${cause.code})`
  return new ToolError('workspace_unavailable', message, {
    fix: 'Give the files back to the user that owns the workspace.',
    cause,
  })
}

/** True for an error of the system with one of these codes. */
export function hasErrno(error: unknown, ...codes: string[]): boolean {
  const { code } = error as NodeJS.ErrnoException
  return typeof code === 'string' && codes.includes(code)
}
