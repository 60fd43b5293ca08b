import { parseArgs } from 'node:util'
import { ToolError } from '../../core/kernel/errors.ts'
import type { OptionSpec, OptionSpecs, OptionValues } from './command.ts'
import { didYouMean } from './nearest-names.ts'

/** Options that every command takes, before or after its name. */
export const everywhereOptions = {
  url: { type: 'string', value: 'URL', summary: 'server to talk to, with the key in TOOLCRIB_KEY' },
  data: { type: 'string', value: 'DIR', summary: 'data folder (TOOLCRIB_DATA, else ./.toolcrib)' },
  config: { type: 'string', value: 'FILE', summary: 'configuration file' },
  tools: { type: 'string', value: 'DIR', multiple: true, summary: 'folder of tools; may repeat' },
  database: { type: 'string', value: 'URL', summary: 'PostgreSQL instead of the embedded store' },
  tenant: { type: 'string', value: 'SLUG', summary: 'act in this tenant, if you manage tenants' },
  json: { type: 'boolean', summary: 'JSON on stdout, errors as JSON on stderr' },
  color: { type: 'boolean', summary: 'colours on a terminal; --no-color turns them off' },
  help: { type: 'boolean', short: 'h', summary: 'show this help' },
} as const satisfies OptionSpecs

export type ValueMap = Map<string, (string | boolean)[]>

export interface ParsedOptions {
  words: string[]
  options: OptionValues
  values: ValueMap
}

/** Words and options of one command line, or an error that names the nearest option. */
export function parseOptions(args: readonly string[], specs: OptionSpecs): ParsedOptions {
  const { tokens } = parseArgs({
    args: [...args],
    options: toParseArgsOptions(specs),
    strict: false,
    allowPositionals: true,
    tokens: true,
  })
  const words: string[] = []
  const values: ValueMap = new Map()
  for (const token of tokens) {
    if (token.kind === 'positional') words.push(token.value)
    if (token.kind !== 'option') continue
    const { name, value } = readOption(token, specs)
    addOption(values, { name, value, spec: specs[name] })
  }
  return { words, options: toOptionValues(values), values }
}

/**
 * Adds one more value. Only a list may be given twice: with two values for one thing it would be
 * unclear which one counts.
 */
export function addOption(
  values: ValueMap,
  { name, value, spec }: { name: string; value: string | boolean; spec: OptionSpec | undefined },
): void {
  const known = values.get(name) ?? []
  if (known.length > 0 && isSingle(spec)) throw givenTwice(`--${name}`)
  values.set(name, [...known, value])
}

/** True if it holds one value. A switch may be repeated without effect. */
export function isSingle(spec: OptionSpec | undefined): boolean {
  return spec?.type === 'string' && spec.multiple !== true
}

/** The error for a second value of an option or flag that takes one. */
export function givenTwice(flag: string): ToolError {
  return usageError(`${flag} was given twice.`, 'It takes one value: remove the others.')
}

/** Splits at the first word that is neither an option nor the value of one. */
export function splitAtFirstWord(
  args: readonly string[],
  specs: OptionSpecs,
): { before: readonly string[]; word: string | undefined; after: readonly string[] } {
  let index = 0
  while (index < args.length) {
    const arg = args[index] ?? ''
    if (!arg.startsWith('-') || arg === '--') break
    const takesNext = Object.hasOwn(specs, arg.slice(2)) && specs[arg.slice(2)]?.type === 'string'
    index += takesNext ? 2 : 1
  }
  if (args[index] === '--') index += 1
  return { before: args.slice(0, index), word: args[index], after: args.slice(index + 1) }
}

/** The same from a map of values. */
export function toOptionValues(
  values: ReadonlyMap<string, readonly (string | boolean)[]>,
): OptionValues {
  const texts = (name: string): string[] =>
    (values.get(name) ?? []).filter((value) => typeof value === 'string')
  return {
    text: (name) => texts(name).at(-1),
    texts,
    flag: (name) => values.get(name)?.at(-1) === true,
  }
}

/** A number option, or undefined; anything but a whole number in the range is an error. */
export function parseNumber(
  options: OptionValues,
  name: string,
  range: { min: number; max: number },
): number | undefined {
  const text = options.text(name)
  if (text === undefined) return undefined
  const value = /^\d{1,15}$/.test(text) ? Number(text) : NaN
  if (value >= range.min && value <= range.max) return value
  throw usageError(`--${name} takes a whole number from ${range.min} to ${range.max}, not ${text}.`)
}

/** The same for a number that may have up to six decimals. */
export function parseDecimal(
  options: OptionValues,
  name: string,
  range: { min: number; max: number },
): number | undefined {
  const text = options.text(name)
  if (text === undefined) return undefined
  const value = /^\d{1,15}(?:\.\d{1,6})?$/.test(text) ? Number(text) : NaN
  if (value >= range.min && value <= range.max) return value
  throw usageError(`--${name} takes a number from ${range.min} to ${range.max}, not ${text}.`)
}

/** An error in what was typed. */
export function usageError(message: string, fix?: string): ToolError {
  return new ToolError('invalid_request', message, fix === undefined ? {} : { fix })
}

interface OptionToken {
  name: string
  rawName: string
  value?: string | undefined
  inlineValue?: boolean | undefined
}

function readOption(
  token: OptionToken,
  specs: OptionSpecs,
): { name: string; value: string | boolean } {
  const negated = token.name.startsWith('no-') ? token.name.slice(3) : undefined
  if (negated !== undefined && specs[negated]?.type === 'boolean') {
    return { name: negated, value: false }
  }
  const spec = Object.hasOwn(specs, token.name) ? specs[token.name] : undefined
  if (spec === undefined) throw unknownOption(token.rawName, Object.keys(specs))
  if (spec.type === 'boolean') {
    if (token.value === undefined) return { name: token.name, value: true }
    throw usageError(`${token.rawName} takes no value.`, `Write ${token.rawName} alone.`)
  }
  return { name: token.name, value: checkValue(token, spec) }
}

function checkValue(token: OptionToken, spec: OptionSpec): string {
  const value = token.value
  const looksLikeOption = token.inlineValue === false && value?.startsWith('--') === true
  const isMissing = value === '' && spec.mayBeEmpty !== true
  if (value === undefined || isMissing || looksLikeOption) {
    throw usageError(
      `${token.rawName} needs a value.`,
      `Write ${token.rawName} ${spec.value ?? 'VALUE'}.`,
    )
  }
  if (spec.choices !== undefined && !spec.choices.includes(value)) {
    throw usageError(`${token.rawName} is one of ${spec.choices.join(', ')}, not ${value}.`)
  }
  return value
}

function unknownOption(rawName: string, names: readonly string[]): ToolError {
  const near = didYouMean(rawName.replace(/^-+/, ''), names, '--')
  return usageError(
    `There is no option ${rawName}.`,
    near ?? `Options here: ${names.map((name) => `--${name}`).join(' ')}.`,
  )
}

function toParseArgsOptions(
  specs: OptionSpecs,
): Record<string, { type: 'string' | 'boolean'; short?: string; multiple: true }> {
  return Object.fromEntries(
    Object.entries(specs).map(([name, { type, short }]) => [
      name,
      { type, multiple: true as const, ...(short === undefined ? {} : { short }) },
    ]),
  )
}
