import { closeSync, fstatSync, read, readSync, type Stats } from 'node:fs'
import { promisify } from 'node:util'
import { type Held, holdIn, openHeld } from './folder.ts'
import { notFound } from './file-error.ts'
import type { Place } from './find-place.ts'
import { badPath } from './workspace-path.ts'

/** A regular file that is open for reading. */
export interface ReadableFile {
  fd: number
  facts: Stats
  close(): void
}

/** Opens what a place names, if it is a regular file with this one name. Nothing else is opened. */
export function openFile(place: Place, asked: string): ReadableFile {
  if (place.name === undefined) throw badPath(asked, 'is a folder')
  const held = holdIn(place.folder, place.name)
  try {
    const facts = fstatSync(held.fd)
    assertRegular(facts, asked)
    return openKnown(held, facts)
  } finally {
    held.close()
  }
}

function openKnown(held: Held, facts: Stats): ReadableFile {
  const fd = openHeld(held)
  return { fd, facts, close: () => closeSync(fd) }
}

/**
 * Refuses everything but a regular file. A second hard link could be a file that is shared with
 * somebody else.
 */
export function assertRegular(facts: Stats, asked: string): void {
  if (facts.isDirectory()) throw badPath(asked, 'is a folder')
  if (!facts.isFile()) throw badPath(asked, 'is not a regular file')
  if (facts.nlink === 0) throw notFound(asked)
  if (facts.nlink > 1) {
    throw badPath(asked, 'has several hard links; copy it to a new name and use the copy')
  }
}

const readInto = promisify(read)

/** Read synchronously: a hop to a thread and back takes longer than the read itself. */
const smallBytes = 131_072

/** At most `length` bytes from `offset`; fewer at the end of the file. */
export async function readPart(
  fd: number,
  { offset, length }: { offset: number; length: number },
): Promise<Uint8Array<ArrayBuffer>> {
  const buffer = new Uint8Array(length)
  const isSmall = length <= smallBytes
  let filled = 0
  while (filled < length) {
    const place = [buffer, filled, length - filled, offset + filled] as const
    const bytesRead = isSmall ? readSync(fd, ...place) : (await readInto(fd, ...place)).bytesRead
    if (bytesRead === 0) break
    filled += bytesRead
  }
  return filled === length ? buffer : buffer.slice(0, filled)
}

const pageBytes = 262_144

/**
 * The bytes that an open file had, a page at a time. It is closed after the last one, and also if
 * the reader stops early, even before the first.
 */
export function readPages({ fd, facts, close }: ReadableFile): AsyncIterableIterator<Uint8Array> {
  let offset = 0
  let isOpen = true
  const end = () => {
    if (isOpen) close()
    isOpen = false
    return { done: true, value: undefined } as const
  }
  return {
    [Symbol.asyncIterator]() {
      return this
    },
    async next() {
      if (!isOpen) return end()
      try {
        const length = Math.min(pageBytes, facts.size - offset)
        const value = length > 0 ? await readPart(fd, { offset, length }) : new Uint8Array(0)
        offset += value.length
        return value.length === 0 ? end() : { done: false, value }
      } catch (error) {
        end()
        throw error
      }
    },
    return: async () => end(),
  }
}
