import { ToolError } from '../../../core/kernel/errors.ts'
import { utf8Length } from '../../../core/kernel/text/utf8.ts'
import { skillBounds, type SkillFile } from '../model.ts'

/**
 * The files of a skill as they are stored: SKILL.md at the root, sorted by path. A common top
 * folder is removed. Throws invalid_skill for paths that lead outside or collide, and for exceeded
 * limits. Files that operating systems add to folders and archives are left out.
 */
export function toSkillFiles(given: readonly SkillFile[]): SkillFile[] {
  const files = given.filter(({ path }) => !isLitter(path))
  for (const { path } of files) checkSkillPath(path)
  checkSize(files)
  checkCollisions(files.map(({ path }) => path))
  return withoutTopFolder(files).toSorted((a, b) => (a.path < b.path ? -1 : 1))
}

/** Throws invalid_skill for a path that is not plainly below the folder of its skill. */
export function checkSkillPath(path: string): void {
  const fault = findPathFault(path)
  if (fault === undefined) return
  throw unfit(`The file ${JSON.stringify(path.slice(0, 200))} ${fault}`, 'Rename it.')
}

/** True for bytes that can be read as text. */
export function isText(bytes: Uint8Array): boolean {
  if (bytes.includes(0)) return false
  try {
    new TextDecoder('utf-8', { fatal: true }).decode(bytes)
    return true
  } catch {
    return false
  }
}

const litter = /^__MACOSX(?:\/|$)|(?:^|\/)(?:\.DS_Store|Thumbs\.db|desktop\.ini)$|(?:^|\/)\.git\//

/** Files that an operating system adds and that belong to nothing. */
export function isLitter(path: string): boolean {
  return litter.test(path)
}

function findPathFault(path: string): string | undefined {
  if (path === '') return 'has no name'
  if (/\p{Cc}/u.test(path) || !path.isWellFormed()) return 'has a control character in its name'
  if (path.includes('\\')) return 'has a backslash in its name; parts of a path are joined by /'
  if (path.startsWith('/')) return 'has an absolute path'
  if (path.includes(':')) return 'has a colon in its name, as a drive has'
  if (utf8Length(path) > skillBounds.pathBytes)
    return `has a path of over ${skillBounds.pathBytes} bytes`
  return path
    .split('/')
    .map(findPartFault)
    .find((fault) => fault !== undefined)
}

function findPartFault(part: string): string | undefined {
  if (part === '..' || part === '.') return 'leads out of its folder'
  if (part === '') return 'has an empty part in its path'
  const isLong = utf8Length(part) > skillBounds.nameBytes
  return isLong ? `has a name of over ${skillBounds.nameBytes} bytes` : undefined
}

function checkSize(files: readonly SkillFile[]): void {
  if (files.length > skillBounds.files) {
    throw unfit(
      `It has ${files.length} files; ${skillBounds.files} are possible`,
      'Leave some out.',
    )
  }
  const total = files.reduce((sum, { bytes }) => sum + bytes.length, 0)
  if (total > skillBounds.bytes) throw tooLarge('It', total, skillBounds.bytes)
  for (const { path, bytes } of files) {
    if (bytes.length > skillBounds.fileBytes)
      throw tooLarge(path, bytes.length, skillBounds.fileBytes)
    if (bytes.length > skillBounds.textBytes && isText(bytes)) {
      throw tooLarge(`The text ${path}`, bytes.length, skillBounds.textBytes)
    }
  }
}

/** On most desktops two names that differ in case, or in how an accent is written, are one file. */
function checkCollisions(paths: readonly string[]): void {
  const seen = new Map<string, string>()
  for (const path of paths) {
    const key = foldCase(path)
    const other = seen.get(key)
    if (other !== undefined) {
      throw unfit(
        `${JSON.stringify(path)} and ${JSON.stringify(other)} have one name`,
        'Rename one.',
      )
    }
    seen.set(key, path)
  }
  for (const path of paths) {
    const parts = foldCase(path).split('/')
    for (let end = 1; end < parts.length; end += 1) {
      const folder = seen.get(parts.slice(0, end).join('/'))
      if (folder !== undefined) {
        throw unfit(`${JSON.stringify(folder)} is a file and a folder`, 'Rename one.')
      }
    }
  }
}

function foldCase(path: string): string {
  return path.normalize('NFC').toLowerCase()
}

function withoutTopFolder(files: readonly SkillFile[]): SkillFile[] {
  if (files.some(({ path }) => path === 'SKILL.md')) return [...files]
  const [top] = files[0]?.path.split('/') ?? []
  const prefix = `${top}/`
  const isWrapped = files.every(({ path }) => path.startsWith(prefix))
  const inside = files.map((file) => ({ ...file, path: file.path.slice(prefix.length) }))
  if (isWrapped && inside.some(({ path }) => path === 'SKILL.md')) return inside
  const alike = files.find(({ path }) => /(?:^|\/)skill\.md$/i.test(path))
  throw unfit(
    'There is no SKILL.md at its root, nor in one folder around all of it',
    alike === undefined
      ? 'A skill is a folder with SKILL.md in it.'
      : `There is ${JSON.stringify(alike.path.slice(0, 200))}: put it at the root, named SKILL.md.`,
  )
}

function tooLarge(what: string, bytes: number, most: number): ToolError {
  return unfit(`${what} has ${bytes} bytes; ${most} are possible`, 'Keep what is large elsewhere.')
}

function unfit(message: string, fix: string): ToolError {
  return new ToolError('invalid_skill', message, { fix })
}
