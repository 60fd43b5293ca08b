import { mkdtemp, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'

/** The tools of the example crib, for a configuration in any folder. */
export const exampleTools = path.join(import.meta.dirname, '../../../examples/crib/tools')

/** A configuration of a test's own, in a folder of its own. */
export async function writeConfig(config: object): Promise<string> {
  const folder = await mkdtemp(path.join(tmpdir(), 'console config '))
  const file = path.join(folder, 'toolcrib.config.json')
  await writeFile(file, JSON.stringify(config))
  return file
}
