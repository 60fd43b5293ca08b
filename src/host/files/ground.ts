import { chownSync, rmdirSync, statSync } from 'node:fs'
import type { DiskWorkspace } from '../../core/host/workspace-disk.ts'
import type { Baseline } from './baseline/baseline.ts'
import { ensureFolder } from './find-place.ts'
import { type Folder, openFolderIn } from './folder.ts'
import type { Lock } from './lock.ts'
import type { Scratch } from './replace-file.ts'

/** The parts that the functions on one workspace share. */
export interface Ground {
  /** Absolute: the folder that holds the files. */
  root: string
  scratch: Scratch
  workspace: DiskWorkspace
  baseline: Baseline
  /** Changes come one after the other, so that none sees half of another. */
  lock: Lock
}

/** Makes folders that belong to the owner of the workspace, and counts them. */
export function folderMaker({ workspace, scratch }: Ground) {
  return (folder: Folder, name: string): void => {
    workspace.allowance.reserve({ bytes: 0, files: 1 })
    try {
      ensureFolder(folder, name)
      giveFolder(folder, name, scratch)
    } catch (error) {
      workspace.allowance.release({ bytes: 0, files: 1 })
      throw error
    }
  }
}

/** Takes back what a folder maker has made, unless somebody has put something into it. */
export function folderUnmaker({ workspace }: Ground) {
  return (folder: Folder, name: string): void => {
    try {
      rmdirSync(folder.at(name))
    } catch {
      return
    }
    workspace.allowance.release({ bytes: 0, files: 1 })
  }
}

/** How the folders above a new file are made, and removed again if it is not written. */
export function makingFolders(ground: Ground) {
  return { makeFolder: folderMaker(ground), unmakeFolder: folderUnmaker(ground) }
}

/** As root: what the sandbox is to work on belongs to the user that it runs as. */
export function giveFolder(folder: Folder, name: string, { owner }: Pick<Scratch, 'owner'>): void {
  if (owner === undefined) return
  const made = openFolderIn(folder, name)
  try {
    // Through the descriptor: a link in its place gets nothing.
    const path = made.at('.')
    if (statSync(path).uid !== owner.uid) chownSync(path, owner.uid, owner.gid)
  } finally {
    made.close()
  }
}
