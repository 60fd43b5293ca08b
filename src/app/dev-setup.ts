import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { parseEnv } from 'node:util'
import { ToolError } from '../core/kernel/errors.ts'
import type { ServeOptions } from '../doors/cli/environment.ts'
import { configCandidates } from './config/load-config.ts'
import { filesBehind } from './loader/module-hooks.ts'

export interface EnvFile {
  file: string
  /** Variables that were not set before. */
  variables: number
}

/**
 * Loads the `.env` beside the configuration into the environment. Variables that are already set
 * are kept.
 */
export async function readEnvFile(options: Place): Promise<EnvFile | undefined> {
  const file = envFileOf(options)
  const text = await readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT' || error.code === 'EISDIR') return undefined
    throw new ToolError('invalid_config', `${file} can't be read (${error.code ?? 'unknown'})`, {
      cause: error,
    })
  })
  if (text === undefined) return undefined
  let variables = 0
  for (const [name, value] of Object.entries(parseEnv(text))) {
    if (process.env[name] !== undefined || value === undefined) continue
    process.env[name] = value
    variables += 1
  }
  return { file, variables }
}

/** Reports changes that require a restart: to the configuration, its imports and the .env file. */
export async function watchSetup(
  options: Place & Pick<ServeOptions, 'onSetupChange'>,
): Promise<() => Promise<void>> {
  const { watch } = await import('chokidar')
  const candidates = configCandidates({ cwd: options.cwd, file: options.config })
  const files = new Set([
    envFileOf(options),
    ...candidates.flatMap((file) => [...filesBehind(file)]),
  ])
  const watcher = watch([...files], { ignoreInitial: true })
  watcher.on('all', (_event, file) => options.onSetupChange(path.resolve(file)))
  return () => watcher.close()
}

type Place = Pick<ServeOptions, 'cwd' | 'config'>

function envFileOf({ cwd, config }: Place): string {
  return path.join(config === undefined ? cwd : path.dirname(config), '.env')
}
