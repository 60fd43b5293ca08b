import type { CommandSpec } from '../../../core/operations/command-spec.ts'
import type { Operation } from '../../../core/operations/operation.ts'
import { readInput } from '../call/read-input.ts'
import type { ClientRequest } from '../client/http-client.ts'
import type { CommandContext } from '../command.ts'
import { parseDecimal, parseNumber, usageError } from '../parse-options.ts'
import { inputFields, toFlag, type InputField } from './input-fields.ts'

/** What a command asks for. */
interface ActionOf {
  operation: Operation
  spec: CommandSpec
  /** `toolcrib schedules add NAME`: for what is missing. */
  usage: string
}

type Typed = Pick<CommandContext, 'words' | 'options' | 'environment'>

/** The request that a command line means; a mistake in it is told before anything is sent. */
export async function readRequest(
  { operation, spec, usage }: ActionOf,
  typed: Typed,
): Promise<{ path: string; request: ClientRequest }> {
  const values = readWords(spec, typed, usage)
  const parts: Record<InputField['place'], Record<string, unknown>> = { query: {}, body: {} }
  for (const [name, value] of Object.entries({ ...values, ...spec.sets })) {
    if (!Object.hasOwn(operation.params, name)) parts.body[name] = value
  }
  const given = new Set<string>()
  for (const [flag, field] of inputFields(operation, spec)) {
    const value = await readField(flag, field, typed)
    if (value !== undefined) {
      if (field.kind === 'switch') assertFree(parts.body, field.path, flag)
      if (value !== field.fallback) given.add(flag)
      place(parts[field.place], field.path, value)
    } else if (field.isRequired && field.kind !== 'json' && field.path.length === 1)
      throw usageError(`--${flag} is missing.`, `Write ${usage}`)
  }
  requireOneOf(spec, given)
  const path = operation.path
    .replace('/api/v1', '')
    .replaceAll(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(values[name] ?? ''))
  const body = operation.body && { body: parts.body }
  const query = operation.query && { query: parts.query as ClientRequest['query'] }
  return { path, request: { method: operation.method, ...query, ...body } }
}

function readWords(spec: CommandSpec, { words }: Typed, usage: string): Record<string, string> {
  const entries = (spec.words ?? []).map((name, index): [string, string] => {
    const word = words[index + 1]
    if (word !== undefined) return [name, word]
    throw usageError(`The ${toFlag(name).replaceAll('-', ' ')} is missing.`, `Write ${usage}`)
  })
  return Object.fromEntries(entries)
}

function requireOneOf({ needsOneOf = [] }: CommandSpec, given: ReadonlySet<string>): void {
  if (needsOneOf.length === 0 || needsOneOf.some((name) => given.has(toFlag(name)))) return
  const flags = needsOneOf.map((name) => `--${toFlag(name)}`)
  throw usageError('There is nothing to set.', `Give at least one of ${flags.join(', ')}.`)
}

/** Two options that set the same field exclude each other. */
function assertFree(body: Record<string, unknown>, [name = '']: readonly string[], flag: string) {
  if (body[name] === undefined) return
  throw usageError(`--${flag} contradicts another option: both set the ${name}.`)
}

async function readField(
  flag: string,
  field: InputField,
  { options, environment }: Typed,
): Promise<unknown> {
  const { kind, emptyAs, fallback, value } = field
  if (kind === 'number') return parseNumber(options, flag, boundsOf(field))
  if (kind === 'decimal') return parseDecimal(options, flag, boundsOf(field))
  if (kind === 'json') return readInput(options.text(flag), environment)
  if (kind === 'flag') return options.flag(flag) || undefined
  if (kind === 'switch') return options.flag(flag) ? value : undefined
  if (kind === 'text') return options.text(flag) ?? fallback
  const texts = options.texts(flag).flatMap((text) => text.split(',').map((part) => part.trim()))
  if (texts.length === 0) return undefined
  return texts.every((text) => text === emptyAs) ? [] : texts
}

function boundsOf({ min = 0, max = Number.MAX_SAFE_INTEGER }: InputField) {
  return { min, max }
}

function place(target: Record<string, unknown>, path: readonly string[], value: unknown): void {
  const [first = '', ...rest] = path
  if (rest.length === 0) target[first] = value
  else place((target[first] ??= {}) as Record<string, unknown>, rest, value)
}
