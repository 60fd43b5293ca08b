import type { CommandSpec } from '../../../core/operations/command-spec.ts'
import type { ApiRequest } from '../client/http-client.ts'
import type { CommandContext } from '../command.ts'
import { usageError } from '../parse-options.ts'
import type { CommandRequest, RequestField } from './command-request.ts'
import { toFlag, type CommandField } from './input-fields.ts'
import { readField, readRest } from './read-field.ts'

/** One verb of a command: the request it stands for, and how it is asked for. */
export interface Action {
  request: CommandRequest
  spec: CommandSpec
  fields: ReadonlyMap<string, CommandField>
  /** `toolcrib schedules add <name> --tool TOOL`: for messages about missing words. */
  usage: string
}

type Typed = Pick<CommandContext, 'words' | 'options' | 'environment'>

/** The request that a command line stands for. A mistake is reported before anything is sent. */
export async function readRequest(
  action: Action,
  typed: Typed,
): Promise<{ path: string; request: ApiRequest }> {
  const { request, spec } = action
  const rest = spec.rest === undefined ? {} : await readRest(spec.rest.flag, typed)
  const parts: Parts = { path: {}, query: {}, body: { ...rest, ...spec.sets } }
  const placeOf = (name: string) =>
    request.fields.find(({ path }) => path[0] === name)?.place ?? 'body'
  for (const [name, word] of readWords(action, typed)) parts[placeOf(name)][name] = word
  const given = await readOptions(action, typed, parts)
  if (Object.keys(rest).length === 0) requireOneOf(spec, given)
  const path = request.path.replaceAll(/\{(\w+)\}/g, (_, name: string) =>
    encodeURIComponent(String(parts.path[name])),
  )
  const hasQuery = request.fields.some((field) => field.place === 'query')
  return {
    path,
    request: {
      method: request.method,
      ...(hasQuery && { query: parts.query as ApiRequest['query'] }),
      ...(request.hasBody && { body: parts.body }),
    },
  }
}

type Parts = Record<RequestField['place'], Record<string, unknown>>

/** Puts the values of options where they belong, and returns which options were given. */
async function readOptions(
  { fields, usage }: Action,
  typed: Typed,
  parts: Parts,
): Promise<ReadonlySet<string>> {
  const given = new Set<string>()
  for (const [flag, field] of fields) {
    const value = await readField(flag, field, typed)
    if (value === undefined) assertOptional(flag, field, usage)
    else {
      if (field.kind === 'switch') assertFree(parts.body, field.path, flag)
      if (value !== field.fallback) given.add(flag)
      // A query cannot clear a field: the text for null leaves it out.
      if (field.place !== 'query' || value !== null) place(parts[field.place], field.path, value)
    }
  }
  return given
}

/** The server checks whether JSON is missing, because other options may be part of it. */
function assertOptional(flag: string, { isRequired, kind }: CommandField, usage: string): void {
  if (isRequired && kind !== 'json') throw usageError(`--${flag} is missing.`, `Write ${usage}`)
}

/** Words come after the verb, if there is one. */
function readWords({ spec, request, usage }: Action, { words }: Typed): [string, string][] {
  const from = spec.verb === '' ? 0 : 1
  return (spec.words ?? []).flatMap((name, index): [string, string][] => {
    const word = words[index + from]
    if (word !== undefined) return [[name, word]]
    if (isOptionalWord(request, name)) return []
    throw usageError(`The ${wordOf(spec, name).replaceAll('-', ' ')} is missing.`, `Write ${usage}`)
  })
}

/** A word for a filter may be left out. */
export function isOptionalWord({ fields }: CommandRequest, name: string): boolean {
  const field = fields.find(({ path }) => path[0] === name)
  return field?.place === 'query' && field.isRequired !== true
}

/** The name of a word in help. */
export function wordOf(spec: CommandSpec, name: string): string {
  return spec.options?.[name]?.flag ?? toFlag(name)
}

function requireOneOf({ needsOneOf = [] }: CommandSpec, given: ReadonlySet<string>): void {
  if (needsOneOf === 'any') {
    if (given.size > 0) return
    throw usageError('There is nothing to change.', 'Add --help to see the options.')
  }
  if (needsOneOf.length === 0 || needsOneOf.some((name) => given.has(toFlag(name)))) return
  const flags = needsOneOf.map((name) => `--${toFlag(name)}`)
  throw usageError('There is nothing to set.', `Give at least one of ${flags.join(', ')}.`)
}

/** Two options that set the same field exclude each other. */
function assertFree(body: Record<string, unknown>, [name = '']: readonly string[], flag: string) {
  if (body[name] === undefined) return
  throw usageError(`--${flag} contradicts another option: both set the ${name}.`)
}

function place(target: Record<string, unknown>, path: readonly string[], value: unknown): void {
  const [first = '', ...rest] = path
  if (rest.length === 0) target[first] = value
  else place((target[first] ??= {}) as Record<string, unknown>, rest, value)
}
