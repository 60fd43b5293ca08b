import { lstat, readdir, readFile, stat } from 'node:fs/promises'
import path from 'node:path'
import { ToolError } from '../../../core/kernel/errors.ts'
import { isLitter } from './skill-files.ts'
import { skillBounds, type SkillFile } from '../model.ts'

/** All files below a folder. Links are refused: what they lead to is not part of the skill. */
export async function readSkillFolder(folder: string): Promise<SkillFile[]> {
  const found = await listFiles(folder)
  if (found.length > skillBounds.files) throw unfit(`It has over ${skillBounds.files} files`)
  const files: SkillFile[] = []
  let left: number = skillBounds.bytes
  for (const inside of found) {
    left -= (await lstat(path.join(folder, inside))).size
    if (left < 0) throw unfit(`It has over ${skillBounds.bytes} bytes`)
    files.push({ path: inside, bytes: await readFile(path.join(folder, inside)) })
  }
  return files
}

async function listFiles(folder: string): Promise<string[]> {
  const files: string[] = []
  const pending = ['']
  for (let at = pending.pop(); at !== undefined; at = pending.pop()) {
    for (const entry of await readdir(path.join(folder, at), { withFileTypes: true })) {
      const inside = at === '' ? entry.name : `${at}/${entry.name}`
      if (isLitter(inside) || isLitter(`${inside}/`)) continue
      if (entry.isDirectory()) pending.push(inside)
      else if (entry.isFile()) files.push(inside)
      else throw unfit(`${inside} is a link or a special file`)
    }
    // A wrong folder, such as somebody's home, is not walked to its end.
    if (files.length > skillBounds.files) return files
  }
  return files
}

/** The zip that a folder makes, or the zip that it is. */
export async function packSkill(place: string): Promise<Uint8Array> {
  const found = await stat(place).catch(() => undefined)
  if (found === undefined) {
    throw new ToolError('invalid_request', `There is nothing at ${place}`, {
      fix: 'Name a folder with SKILL.md in it, or a zip of one.',
    })
  }
  if (found.isDirectory()) {
    const files = await readSkillFolder(place)
    const { zipSync } = await import('fflate')
    return zipSync(Object.fromEntries(files.map((file) => [file.path, file.bytes])), { level: 6 })
  }
  if (found.size <= skillBounds.zipBytes) return readFile(place)
  throw unfit(`The zip has ${found.size} bytes; ${skillBounds.zipBytes} are possible`)
}

/** Folders with SKILL.md: the folder itself, or those directly in it. */
export async function findSkillFolders(folder: string): Promise<string[]> {
  const names = await readdir(folder).catch((error: unknown) => {
    throw new ToolError('invalid_config', `There is no skills folder ${folder}`, {
      fix: 'Make it, or take it out of skills in the configuration.',
      cause: error,
    })
  })
  if (names.includes('SKILL.md')) return [folder]
  const inside = names.toSorted().map((name) => path.join(folder, name))
  const found: string[] = []
  for (const place of inside) {
    if (await stat(path.join(place, 'SKILL.md')).catch(() => undefined)) found.push(place)
  }
  return found
}

function unfit(message: string): ToolError {
  return new ToolError('invalid_skill', message, {
    fix: 'Leave out what is not part of the skill.',
  })
}
