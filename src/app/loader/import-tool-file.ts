import path from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import type { LoadReport } from '../../core/crib-api.ts'
import { ToolError, isToolError } from '../../core/kernel/errors.ts'
import { isPrompt } from '../../core/library/define-prompt.ts'
import { isResource } from '../../core/library/define-resource.ts'
import type { Pack, Tool } from '../../core/kernel/tool.ts'
import type { LibraryItems } from '../library/code-library.ts'
import { filesBehind } from './module-hooks.ts'

/** The tools of a file, or why and where it failed. */
export type ImportedFile =
  | { ok: true; tools: { tool: Tool; pack?: Pack }[]; library: LibraryItems }
  | { ok: false; error: NonNullable<LoadReport['error']> }

/**
 * Imports one file, freshly for every reload number. A throwing file is a result, not an exception,
 * and so is one that never finishes: the others must not wait for it.
 */
export async function importToolFile(
  file: string,
  reload: number,
  withinMs = 10_000,
): Promise<ImportedFile> {
  const url = toolFileUrl(file, reload)
  try {
    const exports = await endsWithin(withinMs, importModule(url))
    return { ok: true, tools: toolsIn(exports), library: libraryIn(exports) }
  } catch (error) {
    return { ok: false, error: describe(error, file) }
  }
}

/** The address of a file at this reload: every number is a separate module. */
export function toolFileUrl(file: string, reload: number): URL {
  const url = pathToFileURL(file)
  url.searchParams.set('crib', String(reload))
  return url
}

/** The tools of a module, by its address. */
export async function importTools(url: string): Promise<Tool[]> {
  return toolsIn(await importModule(new URL(url))).map(({ tool }) => tool)
}

function importModule(url: URL): Promise<Record<string, unknown>> {
  return import(url.href) as Promise<Record<string, unknown>>
}

/**
 * The timer also keeps the process alive: otherwise Node would exit silently during an await that
 * never resolves.
 */
async function endsWithin<T>(ms: number, work: Promise<T>): Promise<T> {
  const { promise: late, reject } = Promise.withResolvers<never>()
  const timer = setTimeout(() => reject(tooSlow(ms)), ms)
  try {
    return await Promise.race([work, late])
  } finally {
    clearTimeout(timer)
  }
}

function tooSlow(ms: number): ToolError {
  return new ToolError('invalid_tool', `The file was not loaded within ${ms / 1000} s`, {
    fix: 'Look for an await outside of functions that does not end, also in what it imports; do such work in execute.',
  })
}

/** One tool under two names (default and named) counts once. */
function toolsIn(exports: Record<string, unknown>): { tool: Tool; pack?: Pack }[] {
  const found = new Map<Tool, { tool: Tool; pack?: Pack }>()
  for (const value of Object.values(exports).flat()) {
    if (isPack(value)) for (const tool of value.tools) found.set(tool, { tool, pack: value })
    else if (isTool(value) && !found.has(value)) found.set(value, { tool: value })
  }
  return [...found.values()]
}

/** Prompts and resources, each once. */
function libraryIn(exports: Record<string, unknown>): LibraryItems {
  const values = [...new Set(Object.values(exports).flat())]
  return { prompts: values.filter(isPrompt), resources: values.filter(isResource) }
}

/** By shape, not by class: a tool made by another copy of Toolcrib is also a tool. */
function isTool(value: unknown): value is Tool {
  if (typeof value !== 'object' || value === null) return false
  const { contract, behaviour } = value as Partial<Tool>
  return typeof contract?.name === 'string' && typeof behaviour === 'function'
}

function isPack(value: unknown): value is Pack {
  if (typeof value !== 'object' || value === null) return false
  const { name, tools } = value as Partial<Pack>
  return typeof name === 'string' && Array.isArray(tools) && tools.every(isTool)
}

function reasonOf(error: unknown): string {
  if (isToolError(error))
    return error.fix === undefined ? error.message : `${error.message}. ${error.fix}`
  if (error instanceof Error) return `${error.name}: ${error.message.split('\n')[0]}`
  return String(error)
}

/**
 * The first place in the stack that is in this file, else in one that it imports: that is where the
 * error is. A syntax error has it in its first line.
 */
function describe(error: unknown, file: string): NonNullable<LoadReport['error']> {
  const message = reasonOf(error)
  const places = placesIn(error instanceof Error ? (error.stack ?? '') : '')
  const own = places.find((place) => place.file === file)
  if (own !== undefined) return { message, ...own.at }
  const behind = filesBehind(file)
  const other = places.find((place) => behind.has(place.file))
  if (other === undefined) return { message }
  const { line, column } = other.at
  const name = path.relative(path.dirname(file), other.file)
  const at = column === undefined ? `${line}` : `${line}:${column}`
  return { message: `${name}:${at}: ${message}` }
}

interface Place {
  file: string
  at: { line: number; column?: number }
}

function placesIn(stack: string): Place[] {
  return [...stack.matchAll(/(file:\/\/[^\s)?]+?)(?:\?[^:\s)]*)?:(\d+)(?::(\d+))?/g)].flatMap(
    ([, url = '', line, column]) => {
      if (!URL.canParse(url)) return []
      const at = { line: Number(line), ...(column !== undefined && { column: Number(column) }) }
      return [{ file: fileURLToPath(url), at }]
    },
  )
}
