import { realpathSync } from 'node:fs'
import { delimiter, dirname, join } from 'node:path'
import { modernNode } from './own-node.mjs'
import { withProgress } from './progress.mjs'
import { projectRoot } from './project-root.mjs'
import { runCommand, runInForeground } from './run-command.mjs'

const binaries = join(projectRoot, 'node_modules', '.bin')

/**
 * Runs a tool of node_modules, or a file of the project, in the foreground on a Node that is new
 * enough. Returns its exit code.
 *
 * @param {string} tool `vitest`, or a path as in `bench/main.ts`
 * @param {readonly string[]} args
 * @param {{ timeoutMs?: number }} [options]
 */
export function runTool(tool, args, options) {
  const env = toolEnvironment()
  return runInForeground(modernNode(), [programOf(tool), ...args], { env, ...options })
}

/**
 * Runs a tool quietly: one line when it is content, everything it said when it is not.
 *
 * @param {{ name: string, tool: string, args: readonly string[] }} check
 * @returns {Promise<boolean>}
 */
export async function checkWithTool({ name, tool, args }) {
  const startedAt = Date.now()
  const { code, output } = await withProgress(
    `Checking ${name}`,
    runCommand(modernNode(), [programOf(tool), ...args], {
      cwd: projectRoot,
      env: toolEnvironment(),
    }),
  )
  const seconds = ((Date.now() - startedAt) / 1000).toFixed(1)
  console.log(`${name.padEnd(10)} ${code === 0 ? 'ok' : 'FAILED'} (${seconds} s)`)
  if (code !== 0) console.log(output)
  return code === 0
}

function programOf(tool) {
  return tool.includes('/') ? join(projectRoot, tool) : realpathSync(join(binaries, tool))
}

/** What a tool starts in turn must find the same Node. */
function toolEnvironment() {
  const path = [dirname(modernNode()), binaries, process.env.PATH ?? ''].join(delimiter)
  return { ...process.env, PATH: path }
}
