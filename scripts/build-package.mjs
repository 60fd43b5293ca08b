import { copyFileSync, mkdirSync, readdirSync, rmSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { projectRoot } from './project-root.mjs'
import { runTool } from './tools.mjs'

/**
 * Compiles src/ to dist/ and copies what is no source: SQL, pages, a prebuilt data folder.
 *
 * @returns {Promise<number>} tsc's exit code
 */
export async function buildPackage() {
  const source = join(projectRoot, 'src')
  const target = join(projectRoot, 'dist')
  // What was removed from src must not be published from an old build.
  rmSync(target, { recursive: true, force: true })
  const code = await runTool('tsc', ['-p', join(projectRoot, 'tsconfig.build.json')])
  for (const entry of readdirSync(source, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile() || /\.(ts|md)$/.test(entry.name)) continue
    const from = join(entry.parentPath ?? entry.path, entry.name)
    const to = join(target, from.slice(source.length))
    mkdirSync(dirname(to), { recursive: true })
    copyFileSync(from, to)
  }
  return code
}
