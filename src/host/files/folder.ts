import { closeSync, constants, fstatSync, openSync, readlinkSync, realpathSync } from 'node:fs'
import { ToolError } from '../../core/kernel/errors.ts'
import { hasErrno, unavailable } from './file-error.ts'

/** A folder that is held open: nobody can put another one in its place. */
export interface Folder {
  readonly fd: number
  /** The address of the folder itself, also for those who may not look into it. */
  readonly self: string
  /**
   * The address of a name in it. On Linux through the descriptor, so that moving the folder, or a
   * link in its place, changes nothing.
   */
  at(name: string): string
  close(): void
}

const { O_DIRECTORY, O_NOFOLLOW, O_RDONLY, O_NONBLOCK } = constants
/** Linux: a handle to the place alone. Node does not name the flag. */
const O_PATH = 0o10000000
/** macOS: fails if any part of the path is a link. Not verified on a real machine. */
const O_NOFOLLOW_ANY = 0x2000_0000
/** Nothing is opened for reading or writing yet, so a pipe or a device notices nothing. */
const lookFlags = { linux: O_PATH | O_NOFOLLOW, darwin: O_RDONLY | O_NOFOLLOW_ANY | O_NONBLOCK }

type Platform = keyof typeof lookFlags

/** Throws where files can't be opened safely beneath a folder. */
export function assertSafePlatform(
  platform: string = process.platform,
): asserts platform is Platform {
  if (platform === 'darwin') return
  if (platform === 'linux') {
    try {
      readlinkSync('/proc/self')
      return
    } catch {
      throw unsafe('/proc is not mounted')
    }
  }
  throw unsafe(`${platform} has no way to open files beneath a folder`)
}

function unsafe(reason: string): ToolError {
  return new ToolError('workspace_unavailable', `Workspaces are not safe here: ${reason}`, {
    fix: 'Run the server on Linux with /proc, in WSL, in a container, or on macOS.',
  })
}

/** Opens a folder by its whole path, which only the server can change. */
export function openRootFolder(path: string): Folder {
  try {
    return process.platform === 'linux' ? openLinuxFolder(path) : openMacFolder(realpathSync(path))
  } catch (error) {
    // Not the file that a caller asked for is missing, but everything.
    if (hasErrno(error, 'ENOENT', 'ENOTDIR', 'ELOOP'))
      throw unavailable('its folder is missing', error)
    throw error
  }
}

/** Opens a folder in a folder. Fails with ENOTDIR or ELOOP for a link. */
export function openFolderIn(folder: Folder, name: string | Buffer): Folder {
  if (process.platform === 'linux') return openLinuxFolder(addressOf(folder, name))
  return openMacFolder(folder.at(name.toString()))
}

/** The address of a name that may be any bytes. */
export function addressOf(folder: Folder, name: string | Buffer): Buffer {
  const bytes = typeof name === 'string' ? Buffer.from(name) : name
  return Buffer.concat([Buffer.from(folder.at('')), bytes])
}

function openLinuxFolder(path: string | Buffer): Folder {
  const fd = openSync(path, O_PATH | O_DIRECTORY | O_NOFOLLOW)
  const prefix = `/proc/self/fd/${fd}/`
  return {
    fd,
    self: `/proc/self/fd/${fd}`,
    at: (name) => prefix + name,
    close: () => closeSync(fd),
  }
}

/**
 * Reading is as safe as on Linux. Changes go by path, so a process that swaps folders at that
 * moment can redirect them; a sandbox on macOS has to confine that.
 */
function openMacFolder(path: string): Folder {
  const fd = openSync(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW_ANY)
  return { fd, self: path, at: (name) => `${path}/${name}`, close: () => closeSync(fd) }
}

/** A file that is held, but not yet opened for reading. */
export interface Held {
  readonly fd: number
  readonly path: string
  close(): void
}

/** Pins the file of this name without opening it: a pipe or a device notices nothing. */
export function holdIn(folder: Folder, name: string): Held {
  const path = folder.at(name)
  const isLinux = process.platform === 'linux'
  const fd = openSync(path, isLinux ? lookFlags.linux : lookFlags.darwin)
  return { fd, path: isLinux ? `/proc/self/fd/${fd}` : path, close: () => closeSync(fd) }
}

/** Opens a pinned file for reading, even if another one has its name by now. */
export function openHeld(held: Held): number {
  if (process.platform === 'linux') return openSync(held.path, O_RDONLY | O_NONBLOCK)
  const fd = openSync(held.path, O_RDONLY | O_NONBLOCK | O_NOFOLLOW_ANY)
  const [one, other] = [fstatSync(fd), fstatSync(held.fd)]
  if (one.ino === other.ino && one.dev === other.dev) return fd
  closeSync(fd)
  throw Object.assign(new Error('The file was replaced'), { code: 'ENOENT' })
}
