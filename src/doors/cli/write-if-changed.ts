import { mkdir, readFile, rename, writeFile } from 'node:fs/promises'
import { dirname } from 'node:path'

/** Writes a file that programs watch: only if it has changed, and in one step. */
export async function writeIfChanged(file: string, text: string): Promise<boolean> {
  if ((await readFile(file, 'utf8').catch(() => undefined)) === text) return false
  await mkdir(dirname(file), { recursive: true })
  const draft = `${file}.${process.pid}.draft`
  await writeFile(draft, text)
  await rename(draft, file)
  return true
}
