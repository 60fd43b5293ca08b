import type { CommandOption, CommandSpec } from '../../../core/operations/command-spec.ts'
import type { OptionSpec } from '../command.ts'
import type { CommandRequest, CommandFieldKind, RequestField } from './command-request.ts'

/** A field of an operation's input, as an option of a command. */
export interface CommandField extends Pick<CommandOption, 'emptyAs' | 'nullAs' | 'reads'> {
  place: RequestField['place']
  path: readonly string[]
  kind: CommandFieldKind | 'switch' | 'rest'
  isRequired: boolean
  min?: number
  max?: number
  /** The value that is sent without the option. */
  fallback?: string
  /** The value of a switch. */
  value?: unknown
  option: OptionSpec
}

/** The options of a command by name. */
export function inputFields(request: CommandRequest, spec: CommandSpec): Map<string, CommandField> {
  const fields = new Map<string, CommandField>()
  for (const field of request.fields.filter((one) => isOffered(one, spec))) {
    const name = field.path.at(-1) ?? ''
    const { flag = toFlag(name), ...given } = spec.options?.[name] ?? {}
    fields.set(flag, toField(field, given))
  }
  const inBody = { place: 'body', isRequired: false } as const
  for (const [flag, { field, value, summary }] of Object.entries(spec.switches ?? {})) {
    const option: OptionSpec = { type: 'boolean', summary }
    fields.set(flag, { ...inBody, path: [field], kind: 'switch', value, option })
  }
  if (spec.rest !== undefined) {
    const option: OptionSpec = { type: 'string', value: 'JSON', summary: spec.rest.summary }
    fields.set(spec.rest.flag, { ...inBody, path: [], kind: 'rest', option })
  }
  return fields
}

/** A list is read to its end, so its cursor is not an option. */
function isOffered({ place, path }: RequestField, spec: CommandSpec): boolean {
  const { words = [], without = [], sets, takes = [] } = spec
  const [name = ''] = path
  if (name === 'after' || words.includes(name) || without.includes(path.join('.'))) return false
  // A command that stands for one change offers only the fields it takes.
  return sets === undefined || place !== 'body' || takes.includes(name)
}

function toField(field: RequestField, given: CommandOption): CommandField {
  const { place, path, kind, min, max } = field
  const { value, summary = field.summary, choices = field.choices, default: fallback } = given
  const { emptyAs, nullAs, reads } = given
  const option: OptionSpec = {
    type: kind === 'flag' ? 'boolean' : 'string',
    summary,
    ...(kind !== 'flag' && { value: value ?? placeholders[kind] ?? path.at(-1)?.toUpperCase() }),
    ...(kind === 'texts' && { multiple: true }),
    ...(choices !== undefined && { choices }),
    ...(nullAs === '' && { mayBeEmpty: true }),
  }
  const isRequired = field.isRequired === true && fallback === undefined
  return { place, path, kind, isRequired, min, max, fallback, emptyAs, nullAs, reads, option }
}

const placeholders: Partial<Record<CommandFieldKind, string>> = {
  number: 'N',
  decimal: 'N',
  json: 'JSON',
}

/** `maxTurnTokens` → `max-turn-tokens`. */
export function toFlag(name: string): string {
  return name.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)
}
