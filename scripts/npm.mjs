import { accessSync, constants, mkdirSync } from 'node:fs'
import { homedir } from 'node:os'
import { delimiter, dirname, join, sep } from 'node:path'
import { projectRoot } from './project-root.mjs'
import { runCommand } from './run-command.mjs'

const ownModules = join(projectRoot, 'node_modules') + sep

// Fewer and shorter retries than npm's own, which keep somebody without a network waiting for minutes.
const quietFlags = [
  '--no-audit',
  '--no-fund',
  '--no-update-notifier',
  '--no-progress',
  '--prefer-offline',
  '--fetch-retry-mintimeout=1000',
  '--fetch-retry-maxtimeout=8000',
  '--loglevel=error',
]

/**
 * Runs npm: the one that runs us, else the one on PATH; never on the Node inside node_modules,
 * which it may be about to replace.
 *
 * @param {readonly string[]} args
 * @param {{ cwd: string, onStart?: (pid: number) => void }} options
 */
export function runNpm(args, options) {
  const env = npmEnvironment()
  const script = process.env.npm_execpath
  const node = outsideNode()
  if (script?.endsWith('npm-cli.js') && node !== undefined) {
    return runCommand(node, [script, ...args, ...quietFlags], { ...options, env })
  }
  return runCommand('npm', [...args, ...quietFlags], { ...options, env })
}

function outsideNode() {
  const candidates = [process.env.npm_node_execpath, process.execPath]
  return candidates.find((node) => node !== undefined && !node.startsWith(ownModules))
}

function npmEnvironment() {
  const env = { ...process.env }
  const folders = (env.PATH ?? '').split(delimiter)
  env.PATH = folders.filter((folder) => !`${folder}${sep}`.startsWith(ownModules)).join(delimiter)
  // A service user's home often does not exist: npm would stop at its cache, which it names there
  // even in the environment of what it runs.
  if (!isWritable(env.npm_config_cache ?? join(homedir(), '.npm'))) {
    env.npm_config_cache = join(projectRoot, '.tmp', 'npm-cache')
    mkdirSync(env.npm_config_cache, { recursive: true })
  }
  return env
}

function isWritable(folder) {
  try {
    accessSync(folder, constants.W_OK)
    return true
  } catch (error) {
    return error.code === 'ENOENT' && folder !== dirname(folder) && isWritable(dirname(folder))
  }
}
