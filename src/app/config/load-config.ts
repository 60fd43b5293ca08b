import { access, readFile } from 'node:fs/promises'
import path from 'node:path'
import { pathToFileURL } from 'node:url'
import { z } from 'zod'
import { ToolError } from '../../core/kernel/errors.ts'
import { toConfigIssues } from './config-issues.ts'
import type { ConfigInput } from '../../core/typing/config-input.ts'
import { type Config, configSchema } from './config-schema.ts'
import { registerModuleHooks } from '../loader/module-hooks.ts'
import { boundZod } from '../../core/schema/bound-zod.ts'

/** Configuration and its origin; folders in it are absolute. */
export interface LoadedConfig {
  config: Config
  file: string | undefined
  /** The folder that relative paths start from; absolute. */
  base: string
  /** Tools folders, absolute. */
  folders: readonly string[]
  /** The folders were named explicitly, so they must exist. */
  mustFindFolders: boolean
}

const fileNames = ['ts', 'mts', 'js', 'mjs', 'yaml', 'yml', 'json'].map(
  (end) => `toolcrib.config.${end}`,
)

/** The default folder of tools. */
const defaultFolder = 'tools'

/** Where configuration comes from: a named file, an object, or the file found in the folder. */
export interface ConfigSource {
  cwd: string
  file?: string
  inline?: ConfigInput
  /** The folder was named for its configuration, so it must have one. */
  mustExist?: boolean
  /** Folders from the command line; they replace the configured ones. */
  tools?: readonly string[]
  /** Tools are passed as values: the default folder is not searched. */
  isWithoutDefault?: boolean
}

export async function loadConfig(source: ConfigSource): Promise<LoadedConfig> {
  const file = source.inline === undefined ? await findConfigFile(source) : undefined
  const raw = file === undefined ? (source.inline ?? {}) : await readConfigFile(file)
  const config = parseConfig(raw, file)
  const base = file === undefined ? source.cwd : path.dirname(file)
  const mustFindFolders = config.tools !== undefined || (source.tools ?? []).length > 0
  return { config, file, base, folders: toolFolders(config, base, source), mustFindFolders }
}

/**
 * The configuration file that `loadConfig` would find in this folder, for callers that name it from
 * elsewhere.
 */
export async function findSetup(cwd: string): Promise<{ config?: string; tools: string[] }> {
  const config = await findConfigFile({ cwd })
  if (config !== undefined) return { config, tools: [] }
  const folder = path.join(cwd, defaultFolder)
  return { tools: (await exists(folder)) ? [folder] : [] }
}

/** Validates the whole configuration; every problem is listed with its path. */
export function parseConfig(raw: unknown, file: string | undefined): Config {
  const parsed = z.core.safeParse(boundZod(configSchema), raw ?? {})
  if (parsed.success) return deepFreeze(parsed.data)
  const issues = toConfigIssues(parsed.error)
  const where = issues.map(({ path, message }) => `${path} ${message}`).join('; ')
  throw new ToolError('invalid_config', `${file ?? 'The configuration'} is not valid: ${where}`, {
    issues,
    fix: 'docs/reference/configuration.md lists every key.',
  })
}

/** Candidate files of a configuration: the named file, or those of this folder. */
export function configCandidates({ cwd, file }: Pick<ConfigSource, 'cwd' | 'file'>): string[] {
  return file === undefined
    ? fileNames.map((name) => path.join(cwd, name))
    : [path.resolve(cwd, file)]
}

async function findConfigFile(source: ConfigSource): Promise<string | undefined> {
  const { cwd, file } = source
  const candidates = configCandidates({ cwd, file })
  for (const candidate of candidates) {
    if (await exists(candidate)) return candidate
  }
  if (file === undefined && source.mustExist !== true) return undefined
  throw new ToolError(
    'invalid_config',
    `There is no configuration file ${file === undefined ? `in ${cwd}` : candidates[0]}`,
    {
      fix: 'Name no configuration to run on the defaults, or write one: toolcrib init.',
    },
  )
}

async function readConfigFile(file: string): Promise<unknown> {
  try {
    if (/\.(?:ya?ml|json)$/.test(file)) {
      const { parse } = await import('yaml')
      return parse(await readFile(file, 'utf8'))
    }
    registerModuleHooks()
    const url = pathToFileURL(file)
    url.searchParams.set('crib', 'config')
    const module = (await import(url.href)) as { default?: unknown }
    return module.default
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    throw new ToolError('invalid_config', `${file} could not be read: ${reason}`, { cause: error })
  }
}

/** Unless configured otherwise, `./tools` is used, even if it is created later. */
function toolFolders(config: Config, folder: string, source: ConfigSource): string[] {
  if (source.tools !== undefined && source.tools.length > 0) {
    return source.tools.map((name) => path.resolve(source.cwd, name))
  }
  if (config.tools !== undefined) return config.tools.map((name) => path.resolve(folder, name))
  return source.isWithoutDefault === true ? [] : [path.join(folder, defaultFolder)]
}

async function exists(file: string): Promise<boolean> {
  return access(file).then(
    () => true,
    () => false,
  )
}

function deepFreeze<T>(value: T): T {
  if (typeof value !== 'object' || value === null || Object.isFrozen(value)) return value
  for (const part of Object.values(value)) deepFreeze(part)
  return Object.freeze(value)
}
