import type { ToolError } from '../../../core/kernel/errors.ts'
import type { JsonSchema } from '../../../core/kernel/tool.ts'
import type { OptionSpecs } from '../command.ts'
import { nearestNames } from '../nearest-names.ts'
import { addOption, givenTwice, usageError } from '../parse-options.ts'
import { findFlagTarget, type FlagTarget, flagNameOf } from './flag-names.ts'
import { fieldsOf, type SchemaPlace, typesOf } from './input-fields.ts'
import { ownValue } from '../../../core/kernel/json/json-type.ts'

/** The text typed for one place of the input; several values for a list. */
export interface FlagValue extends FlagTarget {
  flag: string
  raws: (string | true | false)[]
}

export interface ParsedFlags {
  flags: FlagValue[]
  /** Toolcrib's own options found among the tool's flags. */
  own: Map<string, (string | boolean)[]>
}

/** Always Toolcrib's: a script that writes `--json` must get JSON whatever the tool's fields are called. */
export const alwaysOwn: ReadonlySet<string> = new Set(['json', 'help', 'input'])

/**
 * Reads the words after a tool's name. A flag that names a field of the input is the tool's; other
 * names are Toolcrib's own options. After `--` everything is the tool's.
 */
export function parseFlags(
  args: readonly string[],
  schema: JsonSchema,
  ownSpecs: OptionSpecs,
): ParsedFlags {
  const reader: Reader = {
    words: args,
    index: 0,
    isToolOnly: false,
    place: { schema, root: schema },
    ownSpecs,
    flags: new Map(),
    own: new Map(),
  }
  while (reader.index < args.length) readWord(reader)
  return { flags: [...reader.flags.values()], own: reader.own }
}

interface Reader {
  words: readonly string[]
  index: number
  isToolOnly: boolean
  place: SchemaPlace
  ownSpecs: OptionSpecs
  flags: Map<string, FlagValue>
  own: Map<string, (string | boolean)[]>
}

function readWord(reader: Reader): void {
  const word = reader.words[reader.index] ?? ''
  reader.index += 1
  if (word === '--' && !reader.isToolOnly) {
    reader.isToolOnly = true
    return
  }
  if (word === '-h' && !reader.isToolOnly) {
    addOwn(reader, 'help', true)
    return
  }
  if (!word.startsWith('--') || word.length === 2) {
    throw usageError(
      `${word} stands alone.`,
      'Pass each value with a flag (--name value), or the whole input with --input.',
    )
  }
  const equals = word.indexOf('=')
  const name = equals === -1 ? word.slice(2) : word.slice(2, equals)
  readFlag(reader, name, equals === -1 ? undefined : word.slice(equals + 1))
}

function readFlag(reader: Reader, name: string, inline: string | undefined): void {
  const { place, isToolOnly } = reader
  const isOwn = !isToolOnly && Object.hasOwn(reader.ownSpecs, name)
  if (isOwn && alwaysOwn.has(name)) return readOwn(reader, name, inline)
  const target = findFlagTarget(name, place, false)
  if (target !== undefined) return readValue(reader, { name, inline, target })
  if (isOwn) return readOwn(reader, name, inline)
  if (inline === undefined && readNegated(reader, name)) return
  const free = findFlagTarget(name, place, true)
  if (free === undefined) throw unknownFlag(reader, name)
  readValue(reader, { name, inline, target: free })
}

/** `--no-dry-run` turns off what `--dry-run` turns on; true when the word was one of these. */
function readNegated(reader: Reader, name: string): boolean {
  if (!name.startsWith('no-')) return false
  const positive = name.slice(3)
  const target = findFlagTarget(positive, reader.place, false)
  if (target !== undefined && typesOf(target).has('boolean')) {
    addValue(reader, { ...target, flag: `--${name}`, raws: [false] })
    return true
  }
  if (reader.isToolOnly || ownValue(reader.ownSpecs, positive)?.type !== 'boolean') return false
  addOwn(reader, positive, false)
  return true
}

function readValue(
  reader: Reader,
  { name, inline, target }: { name: string; inline: string | undefined; target: FlagTarget },
): void {
  const flag = `--${name}`
  const add = (raw: string | true): void => addValue(reader, { ...target, flag, raws: [raw] })
  if (inline !== undefined) return add(inline)
  const types = typesOf(target)
  const next = reader.words[reader.index]
  if (types.has('boolean')) {
    // Only these two can be its value; anything else is the next flag.
    const isValue = next === 'true' || next === 'false' || (types.size > 1 && !isFlag(next))
    if (!isValue) return add(true)
  }
  if (next === undefined || isFlag(next)) {
    throw usageError(`${flag} needs a value.`, `For one that begins with -- write ${flag}=--….`)
  }
  reader.index += 1
  return add(next)
}

function isFlag(word: string | undefined): boolean {
  return word === undefined || word.startsWith('--')
}

function addValue(reader: Reader, value: FlagValue): void {
  const id = JSON.stringify(value.path)
  const known = reader.flags.get(id)
  if (known === undefined) {
    reader.flags.set(id, value)
    return
  }
  if (!typesOf(value).has('array')) {
    throw givenTwice(value.flag)
  }
  known.raws.push(...value.raws)
}

function readOwn(reader: Reader, name: string, inline: string | undefined): void {
  const spec = ownValue(reader.ownSpecs, name)
  if (spec?.type === 'boolean') {
    if (inline === undefined) return addOwn(reader, name, true)
    throw usageError(`--${name} takes no value.`)
  }
  const value = inline ?? reader.words[reader.index]
  if (value === undefined || value === '' || (inline === undefined && isFlag(value))) {
    throw usageError(`--${name} needs a value.`, `Write --${name} ${spec?.value ?? 'VALUE'}.`)
  }
  if (inline === undefined) reader.index += 1
  addOwn(reader, name, value)
}

function addOwn(reader: Reader, name: string, value: string | boolean): void {
  addOption(reader.own, { name, value, spec: ownValue(reader.ownSpecs, name) })
}

function unknownFlag(reader: Reader, name: string): ToolError {
  const fields = fieldsOf(reader.place)
  const names = fields.map((field) => flagNameOf(field, fields))
  const near = nearestNames(name, [...names, ...Object.keys(reader.ownSpecs)])
  const list =
    names.length === 0
      ? 'The tool takes no input.'
      : `The tool's flags: ${names.map((one) => `--${one}`).join(' ')}.`
  const guess = near.length === 0 ? '' : `Did you mean --${near.join(' or --')}? `
  return usageError(`There is no flag --${name}.`, guess + list)
}
