import { copyFileSync, mkdirSync, readdirSync, rmSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { ensureConsole } from './console.mjs'
import { modernNode } from './own-node.mjs'
import { projectRoot } from './project-root.mjs'
import { runCommand } from './run-command.mjs'
import { runTool } from './tools.mjs'

/**
 * Compiles src/ to dist/, builds the console, and copies what is no source: SQL, pages, a prebuilt data folder.
 *
 * @returns {Promise<number>} the exit code of the first step that failed
 */
export async function buildPackage() {
  const source = join(projectRoot, 'src')
  const target = join(projectRoot, 'dist')
  // What was removed from src must not be published from an old build.
  rmSync(target, { recursive: true, force: true })
  const code = await compilePackage(target)
  if (code !== 0) return code
  for (const entry of readdirSync(source, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile() || /\.(ts|md)$/.test(entry.name)) continue
    const from = join(entry.parentPath ?? entry.path, entry.name)
    const to = join(target, from.slice(source.length))
    mkdirSync(dirname(to), { recursive: true })
    copyFileSync(from, to)
  }
  await copyPrebuilt(join(target, 'prebuilt'))
  await ensureConsole()
  return code
}

/**
 * The modules alone, with their types, in few files.
 *
 * @param {string} target
 * @param {readonly string[]} flags more of them for the compiler
 * @returns {Promise<number>} the exit code of the first step that failed
 */
export async function compilePackage(target, flags = []) {
  const settings = join(projectRoot, 'tsconfig.build.json')
  const code = await runTool('tsc', ['-p', settings, '--outDir', target, ...flags])
  return code === 0 ? runTool('scripts/join-modules.mjs', [target]) : code
}

/** The initialised database folder that a first start unpacks; only the one that fits this source. */
async function copyPrebuilt(target) {
  const module = pathToFileURL(join(projectRoot, 'src/store/engine/pglite/prebuilt-folder.ts')).href
  const program = `console.log((await (await import(${JSON.stringify(module)})).ensurePrebuiltFolder()).path)`
  const { code, output } = await runCommand(modernNode(), [
    '--input-type=module',
    '--eval',
    program,
  ])
  if (code !== 0) throw new Error(`The embedded store could not be prepared: ${output}`)
  const path = output.trim()
  mkdirSync(target, { recursive: true })
  copyFileSync(path, join(target, basename(path)))
}
