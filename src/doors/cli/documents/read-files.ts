import { readdir, readFile, stat } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import type { JsonValue } from '../../../core/kernel/json.ts'
import {
  maxToolFileBytes,
  type ParsedText,
  parseToolText,
} from '../../../features/authoring/files/parse-tool-text.ts'
import type { CommandContext } from '../command.ts'
import { usageError } from '../parse-options.ts'

/** A document that was read from a file. */
export interface NamedDocument {
  file: string
  name: string
  document: JsonValue
  placeOf: ParsedText['placeOf']
}

const isDocumentFile = (file: string) => /\.tool\.(?:ya?ml|json)$/.test(file)

/** The documents of files, and of folders with all below them. Each name may come once. */
export async function readDocuments(
  { environment }: Pick<CommandContext, 'environment'>,
  paths: readonly string[],
): Promise<NamedDocument[]> {
  const files = await Promise.all(paths.map((path) => findFiles(resolve(environment.cwd, path))))
  const documents = await Promise.all([...new Set(files.flat())].map(readDocument))
  for (const { name, file } of documents) {
    const other = documents.find((one) => one.name === name && one.file !== file)
    if (other !== undefined) throw usageError(`${file} and ${other.file} are both ${name}.`)
  }
  return documents
}

async function findFiles(path: string): Promise<string[]> {
  const found = await stat(path).catch(() => undefined)
  if (found === undefined) throw usageError(`${path} could not be read.`, 'Check the path.')
  if (!found.isDirectory()) return [path]
  const entries = await readdir(path, { withFileTypes: true })
  const below = entries
    .filter(({ name }) => !name.startsWith('.') && name !== 'node_modules')
    .toSorted((left, right) => (left.name < right.name ? -1 : 1))
    .map(async (entry) => {
      const whole = join(path, entry.name)
      if (entry.isDirectory()) return findFiles(whole)
      return isDocumentFile(entry.name) ? [whole] : []
    })
  return (await Promise.all(below)).flat()
}

async function readDocument(file: string): Promise<NamedDocument> {
  const { size } = await stat(file)
  if (size > maxToolFileBytes) {
    throw usageError(`${file} has ${size} bytes; the limit is ${maxToolFileBytes}.`)
  }
  return { file, ...nameDocument(await readFile(file, 'utf8'), file) }
}

/** Throws for text that is not YAML or JSON, or names no tool. */
export function nameDocument(text: string, from: string): Omit<NamedDocument, 'file'> {
  const { value, problem, placeOf } = parseToolText(text)
  if (problem !== undefined) {
    const at = problem.at === undefined ? '' : `, line ${problem.at.line}`
    throw usageError(`${from}${at}: ${problem.message}`, 'Correct the YAML or JSON.')
  }
  const { name } = (value ?? {}) as { name?: unknown }
  if (value !== undefined && typeof name === 'string' && name !== '') {
    return { name, document: value, placeOf }
  }
  throw usageError(`${from} names no tool.`, 'Begin it with name: pack.verb')
}
