import { createHash } from 'node:crypto'
import type { Stats } from 'node:fs'
import { readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { createUuid } from '../../../core/kernel/ids.ts'
import { hasErrno } from '../file-error.ts'
import type { Place } from '../find-place.ts'
import { openFile, readPart } from '../open-file.ts'
import { type KnownFile, manifestName, openManifest, printManifest } from './manifest.ts'

/** The state of a workspace before anybody changed it, kept outside of its visible folder. */
export interface Baseline {
  files(): Promise<ReadonlyMap<string, KnownFile>>
  /** Keeps the old content of a file that is about to be replaced or removed, if it is small. */
  keep(place: Place, facts: Stats | undefined): Promise<void>
  /** The old content of a file, if it was kept. */
  old(file: string): Promise<Uint8Array | undefined>
  /** This file, as it is now, belongs to the baseline. */
  add(file: string, facts: Stats): Promise<void>
  /** These files are the baseline. */
  replace(files: ReadonlyMap<string, KnownFile>): Promise<void>
}

const largestKept = 1_048_576
const mostKept = 67_108_864

export function openBaseline(folder: string): Baseline {
  const manifest = openManifest(folder)
  const contents = path.join(folder, 'old')
  const addressOf = (file: string) =>
    path.join(contents, createHash('sha256').update(file).digest('hex'))

  const drafts = path.join(folder, '..', 'tmp')
  /** Counted once: afterwards only more is added here. */
  let keptBytes: number | undefined

  async function keep(place: Place, facts: Stats | undefined): Promise<void> {
    if (facts === undefined || !facts.isFile() || facts.size > largestKept) return
    const known = (await manifest.read()).get(place.path)
    const isOriginal = known?.size === facts.size && known.mtimeMs === facts.mtimeMs
    if (!isOriginal || (await isThere(addressOf(place.path)))) return
    keptBytes ??= await sizeOf(contents)
    if (keptBytes + facts.size > mostKept) return
    keptBytes += facts.size
    const file = openFile(place, place.path)
    try {
      const bytes = await readPart(file.fd, { offset: 0, length: facts.size })
      await writeWhole(addressOf(place.path), bytes, drafts)
    } finally {
      file.close()
    }
  }

  return {
    files: () => manifest.read(),
    keep,

    async old(file) {
      try {
        return await readFile(addressOf(file))
      } catch (error) {
        if (hasErrno(error, 'ENOENT')) return undefined
        throw error
      }
    },

    async add(file, { size, mtimeMs }) {
      await rm(addressOf(file), { force: true })
      await manifest.add(file, { size, mtimeMs })
    },

    async replace(files) {
      for (const name of await readdir(contents)) await rm(path.join(contents, name))
      keptBytes = 0
      await writeWhole(path.join(folder, manifestName), printManifest(files), drafts)
    },
  }
}

/** Leftovers of a crash are removed with the other drafts. */
async function writeWhole(
  file: string,
  content: Uint8Array | string,
  drafts: string,
): Promise<void> {
  const draft = path.join(drafts, createUuid())
  try {
    await writeFile(draft, content, { mode: 0o600, flush: true })
    await rename(draft, file)
  } catch (error) {
    await rm(draft, { force: true })
    throw error
  }
}

async function isThere(file: string): Promise<boolean> {
  return stat(file).then(
    () => true,
    () => false,
  )
}

async function sizeOf(folder: string): Promise<number> {
  let bytes = 0
  for (const name of await readdir(folder)) {
    bytes += (await stat(path.join(folder, name)).catch(() => undefined))?.size ?? 0
  }
  return bytes
}
