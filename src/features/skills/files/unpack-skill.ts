import { setImmediate } from 'node:timers/promises'
import { crc32 } from 'node:zlib'
import { Inflate } from 'fflate'
import { ToolError } from '../../../core/kernel/errors.ts'
import { checkSkillPath, isLitter } from './skill-files.ts'
import { skillBounds, type SkillFile } from '../model.ts'
import { readZipEntries, type ZipEntry } from './zip-entries.ts'

/** At most about a thousand times as much comes out of it at once. */
const pieceBytes = 4096
/** Yields to other work after this many bytes. */
const turnBytes = 1024 * 1024

/** The files of a zipped skill. Throws invalid_skill before anything large is unpacked. */
export async function unpackSkill(zip: Uint8Array): Promise<SkillFile[]> {
  if (zip.length > skillBounds.zipBytes) {
    throw unfit(`The zip has ${zip.length} bytes; ${skillBounds.zipBytes} are possible`)
  }
  const entries = readZipEntries(zip).filter(({ path }) => !isLitter(path))
  for (const { path, isFolder } of entries) checkSkillPath(isFolder ? path.slice(0, -1) : path)
  const files = entries.filter(({ isFolder }) => !isFolder)
  refuseTooMuch(files)
  const unpacked: SkillFile[] = []
  let sinceTurn = 0
  for (const entry of files) {
    unpacked.push({ path: entry.path, bytes: unpack(zip, entry) })
    sinceTurn += entry.size
    if (sinceTurn < turnBytes) continue
    sinceTurn = 0
    await setImmediate()
  }
  return unpacked
}

/** By the declared sizes; whether they are true is checked while unpacking. */
function refuseTooMuch(files: readonly ZipEntry[]): void {
  if (files.length > skillBounds.files) {
    throw unfit(`It has ${files.length} files; ${skillBounds.files} are possible`)
  }
  const total = files.reduce((sum, { size }) => sum + size, 0)
  if (total > skillBounds.bytes) {
    throw unfit(`It unpacks to ${total} bytes; ${skillBounds.bytes} are possible`)
  }
  for (const { path, size, start, end } of files) {
    const isBomb = size > turnBytes && size > (end - start) * skillBounds.ratio
    if (!isBomb) continue
    throw unfit(`${JSON.stringify(path)} unpacks to over ${skillBounds.ratio} times its size`)
  }
}

function unpack(zip: Uint8Array, entry: ZipEntry): Uint8Array {
  const packed = zip.subarray(entry.start, entry.end)
  const bytes = entry.isStored ? packed.slice() : inflate(packed, entry)
  if (crc32(bytes) !== entry.crc) throw lie(entry)
  return bytes
}

/** Stops as soon as the output exceeds the declared size. */
function inflate(packed: Uint8Array, entry: ZipEntry): Uint8Array {
  const bytes = new Uint8Array(entry.size)
  let filled = 0
  const stream = new Inflate((chunk) => {
    if (filled + chunk.length > entry.size) throw lie(entry)
    bytes.set(chunk, filled)
    filled += chunk.length
  })
  try {
    for (let at = 0; at < packed.length; at += pieceBytes) {
      const end = Math.min(packed.length, at + pieceBytes)
      stream.push(packed.subarray(at, end), end === packed.length)
    }
  } catch (error) {
    throw error instanceof ToolError ? error : lie(entry)
  }
  if (filled !== entry.size) throw lie(entry)
  return bytes
}

function lie({ path }: ZipEntry): ToolError {
  return unfit(`${JSON.stringify(path)} in the zip does not match its declared content`)
}

function unfit(message: string): ToolError {
  return new ToolError('invalid_skill', message, {
    fix: 'Pack a folder with SKILL.md and what belongs to it, and nothing else.',
  })
}
