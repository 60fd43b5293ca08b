import { existsSync, lstatSync, readlinkSync } from 'node:fs'
import path from 'node:path'
import type { BoxOptions } from '../driver.ts'
import { boxEgressSocket, boxWorkspace } from './box-script.ts'

/** Folders beside `/usr` that are links into it on most systems, and folders on others. */
const besideUsr = ['bin', 'sbin', 'lib', 'lib32', 'lib64', 'libx32']
/** The parts of `/etc` that programs need. None names a person or holds a key. */
const ofEtc = [
  '/etc/alternatives',
  '/etc/ssl/certs',
  '/etc/ssl/openssl.cnf',
  '/etc/pki/tls/certs',
  '/etc/pki/ca-trust/extracted',
  '/etc/ca-certificates',
  '/etc/ld.so.cache',
  '/etc/ld.so.conf',
  '/etc/ld.so.conf.d',
]

/** Files that a box gets from us. */
const ownEtc = ['passwd', 'group', 'hosts', 'nsswitch.conf']

export interface BwrapProfile {
  /** Further folders of this machine that commands can read. */
  readOnlyFolders: readonly string[]
  /** Our own small `passwd`, `group`, `hosts` and `nsswitch.conf`. */
  etc: string
}

/** The options of bwrap for a box. `seccompFd` is the descriptor with the filter. */
export function bwrapArgs(
  { place, limits, egressSocket }: BoxOptions,
  { readOnlyFolders, etc }: BwrapProfile,
  seccompFd: number,
): string[] {
  const megabytes = (count: number) => String(count * 1024 * 1024)
  const rows: string[][] = [
    ['--unshare-user', '--unshare-ipc', '--unshare-pid', '--unshare-uts', '--unshare-net'],
    ['--unshare-cgroup-try', '--die-with-parent', '--new-session', '--disable-userns'],
    ['--cap-drop', 'ALL', '--uid', '1000', '--gid', '1000', '--hostname', 'box'],
    ['--ro-bind', '/usr', '/usr'],
    ...besideUsr.map(linkOrBind),
    ...ofEtc.map((file) => ['--ro-bind-try', file, file]),
    ...ownEtc.map((file) => ['--ro-bind', path.join(etc, file), `/etc/${file}`]),
    ...readOnlyFolders.map((folder) => ['--ro-bind', folder, folder]),
    // Also read-only where a kernel that trusts the wrong user would let it be written.
    ['--proc', '/proc', '--ro-bind', '/proc/sys', '/proc/sys', '--dev', '/dev'],
    // The first process has the same user and no limits: a write to its memory would lift them.
    ['--perms', '0555', '--size', '4096', '--tmpfs', '/proc/1', '--remount-ro', '/proc/1'],
    ['--size', megabytes(16), '--tmpfs', '/dev/shm'],
    ['--size', megabytes(limits.tmpMb), '--perms', '1777', '--tmpfs', '/tmp'],
    egressSocket === undefined ? [] : ['--bind', egressSocket, boxEgressSocket],
    ['--dir', boxWorkspace, '--remount-ro', '/dev', '--remount-ro', '/'],
    // Last, and nothing is ever mounted beneath it: a link that a command has left there could lead
    // bwrap to create files on this machine (CVE-2026-87766).
    [place.isReadOnly === true ? '--ro-bind' : '--bind', place.folder, boxWorkspace],
    ['--chdir', boxWorkspace],
    ['--seccomp', String(seccompFd)],
  ]
  return rows.flat()
}

function linkOrBind(name: string): string[] {
  const folder = `/${name}`
  if (!existsSync(folder)) return []
  if (lstatSync(folder).isSymbolicLink()) return ['--symlink', readlinkSync(folder), folder]
  return ['--ro-bind', folder, folder]
}
