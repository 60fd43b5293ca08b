import { constants } from 'node:fs'
import {
  chmod,
  copyFile,
  mkdir,
  readFile,
  realpath,
  rename,
  stat,
  writeFile,
} from 'node:fs/promises'
import { dirname } from 'node:path'
import { ToolError } from '../../../core/kernel/errors.ts'
import { apiKeyPattern, parseApiKey } from '../../../core/keys/api-key-token.ts'
import type { ClientConfig } from './client-configs.ts'
import { hasTomlTable, type Snippet, toJsonFile, toSnippetText } from './to-snippet.ts'

export interface WrittenConfig {
  file: string
  /** The copy of the file from before Toolcrib first wrote to it, if it was made now. */
  backup?: string
}

/**
 * The id of the key in the entry that would be replaced. Throws if nothing can be written, before a
 * key is created.
 */
export async function findHeldKey(
  file: string,
  config: ClientConfig,
  name: string,
): Promise<string | undefined> {
  const before = await readIfThere(file)
  if (before === undefined) return undefined
  mergeText(file, { config, snippet: { name, entry: {}, needsBeside: false }, before })
  return heldKey(before, config, name)
}

/**
 * Adds a server to a client's file and keeps everything else in it. The original file is copied
 * once. A file that cannot be parsed is left alone.
 */
export async function writeConfig(
  file: string,
  config: ClientConfig,
  snippet: Snippet,
): Promise<WrittenConfig> {
  const before = await readIfThere(file)
  const text = mergeText(file, { config, snippet, before })
  // A link to the file where somebody keeps their settings stays a link.
  const target = before === undefined ? file : await realpath(file)
  await mkdir(dirname(target), { recursive: true })
  const isPrivate = before === undefined || holdsSecret(text) || holdsSecret(before)
  const mode = isPrivate ? 0o600 : (await stat(target)).mode & 0o777
  // A copy of an entry with a key would keep the key where nobody looks for it.
  const isFirst =
    before !== undefined &&
    heldKey(before, config, snippet.name) === undefined &&
    !isAllOurs(before, config)
  const backup = isFirst ? await keepCopy(target, isPrivate) : undefined
  const draft = `${target}.${process.pid}`
  await writeFile(draft, text, { mode })
  await rename(draft, target)
  return { file: target, ...(backup !== undefined && { backup }) }
}

/** A key of ours, also where only its place is marked; the address of a database has a password in it. */
function holdsSecret(text: string): boolean {
  return /crib_|"--database"/.test(text)
}

/** The copy, or undefined where there is one already: the first has what was there before us. */
async function keepCopy(target: string, isPrivate: boolean): Promise<string | undefined> {
  const copy = `${target}.before-toolcrib`
  const isNew = await copyFile(target, copy, constants.COPYFILE_EXCL).then(
    () => true,
    (error: NodeJS.ErrnoException) => {
      if (error.code === 'EEXIST') return false
      throw error
    },
  )
  if (isPrivate) await chmod(copy, 0o600)
  return isNew ? copy : undefined
}

function heldKey(text: string, config: ClientConfig, name: string): string | undefined {
  // A table in TOML is not replaced.
  if (config.format !== 'json' || text.trim() === '') return undefined
  const held = JSON.parse(text) as Record<string, Record<string, unknown> | undefined>
  const entry = JSON.stringify(held[config.section]?.[name] ?? null)
  const [token = ''] = apiKeyPattern().exec(entry) ?? []
  return parseApiKey(token)?.id
}

/**
 * True if Toolcrib created the file: it contains only our servers, so there is nothing to back up.
 */
function isAllOurs(text: string, { format, section, beside = {} }: ClientConfig): boolean {
  // A table in TOML is not replaced, so no entry of ours is overwritten.
  if (format !== 'json' || text.trim() === '') return false
  const { [section]: servers = {}, ...rest } = JSON.parse(text) as Record<string, object>
  const entries = Object.values(servers)
  return (
    entries.length > 0 &&
    entries.every(isOurs) &&
    Object.keys(rest).every((key) => Object.hasOwn(beside, key))
  )
}

/** As this command writes them: the program `… mcp --data …` or `--url …`, or an address that ends in `/mcp`. */
function isOurs(entry: unknown): boolean {
  const written = JSON.stringify(entry)
  return /"mcp","--(?:data|url)"/.test(written) || /"https?:[^"]+\/mcp(?:\/[\w-]+)?"/.test(written)
}

async function readIfThere(file: string): Promise<string | undefined> {
  try {
    return await readFile(file, 'utf8')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw cannotWrite(file, error)
  }
}

interface Merge {
  config: ClientConfig
  snippet: Snippet
  before: string | undefined
}

function mergeText(file: string, { config, snippet, before = '' }: Merge): string {
  if (config.format === 'toml') {
    if (hasTomlTable(before, config.section, snippet.name)) {
      throw cannotWrite(file, new Error(`it has a server ${snippet.name} already`))
    }
    const gap = before === '' ? '' : before.endsWith('\n') ? '\n' : '\n\n'
    return `${before}${gap}${toSnippetText(config, snippet)}\n`
  }
  try {
    const held: unknown = before.trim() === '' ? {} : JSON.parse(before)
    return `${JSON.stringify(toJsonFile(config, snippet, held), null, 2)}\n`
  } catch (error) {
    throw cannotWrite(file, error)
  }
}

function cannotWrite(file: string, error: unknown): ToolError {
  const reason = error instanceof SyntaxError ? 'it is not plain JSON' : (error as Error).message
  return new ToolError('conflict', `${file} was not changed: ${reason}.`, {
    fix: 'Omit --write and add the printed part to the file yourself, or choose another --name.',
    cause: error,
  })
}
