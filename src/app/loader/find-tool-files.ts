import { readdir, stat } from 'node:fs/promises'
import path from 'node:path'
import { ToolError } from '../../core/kernel/errors.ts'

const toolFile = /\.tool\.(?:ts|mts|js|mjs|ya?ml|json)$/
const documentFile = /\.tool\.(?:ya?ml|json)$/

export function isToolFile(file: string): boolean {
  return toolFile.test(file)
}

/** True for a tool that is a document rather than code. */
export function isDocumentFile(file: string): boolean {
  return documentFile.test(file)
}

/**
 * Every `*.tool.ts` (`.mts`, `.js`, `.mjs`, and the documents `.yaml`, `.yml`, `.json`) below the folders, sorted, without node_modules and
 * dotfiles.
 */
export async function findToolFiles(
  folders: readonly string[],
  { mustExist = true } = {},
): Promise<string[]> {
  const files = new Set<string>()
  for (const folder of folders) {
    const facts = await stat(folder).catch(() => undefined)
    if (facts === undefined && !mustExist) continue
    if (!facts?.isDirectory()) {
      throw new ToolError('invalid_config', `The tools folder ${folder} does not exist`, {
        fix: 'Create it, or name another: tools in toolcrib.config.ts or in createCrib, or --tools.',
      })
    }
    await collect(folder, files)
  }
  return [...files].toSorted()
}

async function collect(folder: string, files: Set<string>): Promise<void> {
  const entries = await readdir(folder, { withFileTypes: true })
  for (const entry of entries) {
    const full = path.join(folder, entry.name)
    // macOS leaves `._name` metadata files beside a file on foreign disks.
    if (entry.name.startsWith('.')) continue
    if (entry.isDirectory() && entry.name !== 'node_modules') {
      await collect(full, files)
    } else if (!entry.isDirectory() && isToolFile(entry.name)) {
      files.add(full)
    }
  }
}
