import { realpathSync } from 'node:fs'
import { setPriority } from 'node:os'
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
 * @param {{ name: string, tool: string, args: readonly string[], isBeside?: boolean, summary?: RegExp }} check
 *   `isBeside` something else that shows how far it is; of what it said when content, the `summary`
 * @returns {Promise<boolean>}
 */
export async function checkWithTool({ name, tool, args, isBeside = false, summary }) {
  const startedAt = Date.now()
  const options = {
    cwd: projectRoot,
    env: toolEnvironment(),
    timeoutMs: 30 * 60_000,
    // What runs beside others takes what they leave.
    onStart: (pid) => isBeside && setPriority(pid, 5),
  }
  const work = runCommand(modernNode(), [programOf(tool), ...args], options)
  const { code, output } = await (isBeside ? work : withProgress(`Checking ${name}`, work))
  const seconds = ((Date.now() - startedAt) / 1000).toFixed(1)
  const said = (summary && summary.exec(output)?.[0].trim()) ?? ''
  console.log(`${name.padEnd(10)} ${code === 0 ? 'ok' : 'FAILED'} (${seconds} s) ${said}`.trim())
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
