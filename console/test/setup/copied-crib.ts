import { cp, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'

/** A crib in a folder of its own, whose files a test may change. */
export interface CopiedCrib {
  config: string
  /** Where this file of its tools folder is. */
  tool(file: string): string
  writeTool(file: string, source: string): Promise<void>
  removeTool(file: string): Promise<void>
  /** Notes are kept in the copy too. */
  env: Record<string, string>
  remove(): Promise<void>
}

const example = path.join(import.meta.dirname, '../../../examples/crib')

/** Copies the example crib, without its tests. */
export async function copyCrib(): Promise<CopiedCrib> {
  const folder = await mkdtemp(path.join(tmpdir(), 'console crib '))
  await cp(example, folder, { recursive: true, filter: (file) => !file.endsWith('.test.ts') })
  const tool = (file: string) => path.join(folder, 'tools', file)
  return {
    config: path.join(folder, 'toolcrib.config.ts'),
    tool,
    writeTool: (file, source) => writeFile(tool(file), source),
    removeTool: (file) => rm(tool(file)),
    env: { CRIB_NOTES_FILE: path.join(folder, 'notes.json') },
    remove: () => rm(folder, { recursive: true, force: true }),
  }
}
