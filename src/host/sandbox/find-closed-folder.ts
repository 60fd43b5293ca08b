import { statSync, type Stats } from 'node:fs'
import path from 'node:path'
import type { FileOwner } from '../../core/host/workspace-disk.ts'

/**
 * The outermost folder on the way to another that a user may not pass. Undefined if there is none,
 * as far as folders exist.
 */
export function findClosedFolder(folder: string, user: FileOwner): string | undefined {
  const { root } = path.parse(folder)
  const names = path.relative(root, folder).split(path.sep)
  const places = names.map((_, index) => path.join(root, ...names.slice(0, index + 1)))
  return [root, ...places].find((place) => {
    const facts = statSync(place, { throwIfNoEntry: false })
    return facts !== undefined && !mayPass(facts, user)
  })
}

function mayPass({ mode, uid, gid }: Stats, user: FileOwner): boolean {
  if (uid === user.uid) return (mode & 0o100) !== 0
  if (gid === user.gid) return (mode & 0o010) !== 0
  return (mode & 0o001) !== 0
}
