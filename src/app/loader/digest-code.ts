import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { filesBehind } from './module-hooks.ts'

/**
 * Of a file that was imported and of the files that it imports, packages left out. Where they lie on
 * this machine does not count, so every node that has the same code has the same digest.
 */
export async function digestCode(file: string): Promise<string> {
  const folder = path.dirname(file)
  const files = [...filesBehind(file)]
    .map((behind) => ({ behind, name: path.relative(folder, behind).replaceAll(path.sep, '/') }))
    .sort((left, right) => (left.name < right.name ? -1 : 1))
  const hash = createHash('sha256')
  for (const { behind, name } of files) {
    const text = await readFile(behind).catch(() => '')
    hash.update(`${name}\n${text.length}\n`).update(text)
  }
  return hash.digest('hex')
}
