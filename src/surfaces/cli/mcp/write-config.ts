import { copyFile, mkdir, readFile, realpath, rename, stat, writeFile } from 'node:fs/promises'
import { dirname } from 'node:path'
import { ToolError } from '../../../core/errors.ts'
import type { ClientConfig } from './client-configs.ts'
import { hasTomlTable, type Snippet, toJsonFile, toSnippetText } from './to-snippet.ts'

export interface WrittenConfig {
  file: string
  /** What was there before. */
  backup?: string
}

/**
 * Puts a server into a client's file, beside all else that is in it. What was there is kept as a
 * copy. A file that can't be read as what it should be is left alone.
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
  const backup = before === undefined ? undefined : `${target}.before-toolcrib`
  const mode = before === undefined ? 0o600 : (await stat(target)).mode & 0o777
  if (backup !== undefined) await copyFile(target, backup)
  const draft = `${target}.${process.pid}`
  await writeFile(draft, text, { mode })
  await rename(draft, target)
  return { file: target, ...(backup !== undefined && { backup }) }
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
  return new ToolError('conflict', `${file} was left as it is: ${reason}.`, {
    fix: 'Leave --write out and put what is printed into the file yourself, or choose another --name.',
    cause: error,
  })
}
