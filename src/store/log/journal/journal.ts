import {
  closeSync,
  ftruncateSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
  writeSync,
} from 'node:fs'
import { join } from 'node:path'

interface Part {
  readonly path: string
  readonly file: number
  bytes: number
  /** Turns that were not struck out yet. */
  unfinished: number
}

/** Entries of an earlier process that may not have been applied. */
export interface LeftPart {
  readonly path: string
  readonly head: string
  readonly body: Buffer
}

const fileName = /^journal-\d+$/
/** More than are ever in use at once while the database answers; where it does not, files are shared. */
const maxFiles = 8

/**
 * Lines that outlive this process until they are applied. Written synchronously: handing a few
 * hundred bytes to the system takes less than a turn of the event loop. Like the embedded database
 * it does not wait for the disk itself: a kill loses nothing, a power cut may.
 */
export class Journal {
  readonly #folder: string
  readonly #head: Buffer
  readonly #free: Part[] = []
  readonly #all: Part[] = []
  #current: Part
  #isClosed = false

  /** `head` describes how to read a part, for a later version. */
  constructor(folder: string, head: string) {
    this.#folder = folder
    this.#head = Buffer.from(`${head}\n`)
    this.#current = this.#create()
  }

  append(bytes: Uint8Array): void {
    const part = this.#current
    try {
      if (part.bytes === 0) part.bytes = writeAll(part, this.#head)
      part.bytes += writeAll(part, bytes)
    } catch (error) {
      cutOff(part)
      throw error
    }
  }

  /** Switches to another file. The returned function strikes out everything written until now. */
  turn(): () => void {
    const part = this.#current
    part.unfinished += 1
    this.#current = this.#free.pop() ?? this.#createIfPossible() ?? part
    return () => {
      part.unfinished -= 1
      // Its number may be another file's by then.
      if (this.#isClosed || part.unfinished > 0 || part === this.#current) return
      ftruncateSync(part.file, 0)
      part.bytes = 0
      this.#free.push(part)
    }
  }

  /** Keeps these apart for people to look at: they are not read again. Returns where. */
  setAside(name: string, bytes: Uint8Array): string {
    const path = join(this.#folder, `journal.${name}`)
    writeFileSync(path, Buffer.concat([this.#head, bytes]), { mode: 0o600 })
    return path
  }

  /** Entries that are not struck out stay for the next process. */
  close(): void {
    this.#isClosed = true
    for (const part of this.#all) closePart(part)
  }

  /** Without space for another file it continues in the current one, which is emptied later. */
  #createIfPossible(): Part | undefined {
    if (this.#all.length >= maxFiles) return undefined
    try {
      return this.#create()
    } catch {
      return undefined
    }
  }

  #create(): Part {
    const path = join(this.#folder, `journal-${this.#all.length + 1}`)
    const part = { path, file: openSync(path, 'w', 0o600), bytes: 0, unfinished: 0 }
    this.#all.push(part)
    return part
  }
}

/** Before a journal is opened in this folder: it begins with empty files. */
export function readJournal(folder: string): LeftPart[] {
  const names = readdirSync(folder).filter((name) => fileName.test(name))
  return names.toSorted().map((name) => {
    const path = join(folder, name)
    const bytes = readFileSync(path)
    const end = bytes.indexOf('\n')
    // Cut off within its first line: nothing in it was acknowledged.
    if (end < 0) return { path, head: '', body: Buffer.alloc(0) }
    return { path, head: bytes.toString('utf8', 0, end), body: bytes.subarray(end + 1) }
  })
}

/** One that can't be removed must not keep the rest from closing; it is empty and read as such. */
function closePart({ file, path, bytes }: Part): void {
  try {
    closeSync(file)
    if (bytes === 0) rmSync(path, { force: true })
  } catch {
    return
  }
}

function writeAll({ file, bytes: at }: Part, bytes: Uint8Array): number {
  for (let done = 0; done < bytes.length;) {
    done += writeSync(file, bytes, done, bytes.length - done, at + done)
  }
  return bytes.length
}

/** Nobody relies on the rest. If it cannot be removed, it may stay. */
function cutOff({ file, bytes }: Part): void {
  try {
    ftruncateSync(file, bytes)
  } catch {
    return
  }
}
