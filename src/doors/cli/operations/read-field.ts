import { readInput } from '../call/read-input.ts'
import type { CommandContext } from '../command.ts'
import { parseDuration } from '../parse-duration.ts'
import { parseDecimal, parseNumber, usageError } from '../parse-options.ts'
import type { CommandField } from './input-fields.ts'

type Typed = Pick<CommandContext, 'options' | 'environment'>

/** The value that an option gives its field, or undefined. */
export async function readField(flag: string, field: CommandField, typed: Typed): Promise<unknown> {
  const { options, environment } = typed
  const { kind, emptyAs, nullAs, place, value } = field
  if (kind === 'rest') return undefined
  if (kind === 'switch') return options.flag(flag) ? value : undefined
  // In a query everything is text.
  if (kind === 'flag') return options.flag(flag) ? (place === 'query' ? 'true' : true) : undefined
  if (kind === 'texts') return toTexts(options.texts(flag), emptyAs)
  const text = options.text(flag)
  if (text !== undefined && text === nullAs) return null
  if (kind === 'json') return readInput(text, environment)
  return kind === 'text' ? toText(flag, text, field) : toNumber(flag, field, options)
}

/** Fields given as JSON, with `--input`. */
export async function readRest(
  flag: string,
  { options, environment }: Typed,
): Promise<Record<string, unknown>> {
  const given = await readInput(options.text(flag), environment)
  if (given === undefined) return {}
  if (typeof given === 'object' && given !== null && !Array.isArray(given)) return { ...given }
  throw usageError(`--${flag} must be a JSON object.`)
}

/** Repeated and comma-separated values. */
function toTexts(given: readonly string[], emptyAs: string | undefined): string[] | undefined {
  const texts = given.flatMap((text) => text.split(',').map((part) => part.trim()))
  if (texts.length === 0) return undefined
  return texts.every((text) => text === emptyAs) ? [] : texts
}

function toText(flag: string, given: string | undefined, field: CommandField): unknown {
  const { reads, fallback } = field
  const text = given ?? fallback
  if (text === undefined || reads === undefined) return text
  if (reads === 'since')
    return isDuration(text) ? toMoment(-parseDuration(`--${flag}`, text)) : text
  return readUntil(flag, text)
}

/** A day, or a duration from now. */
export function readUntil(flag: string, text: string): string {
  const isDay = /^\d{4}-\d{2}-\d{2}$/.test(text) && !Number.isNaN(Date.parse(text))
  return isDay ? new Date(text).toISOString() : toMoment(parseDuration(`--${flag}`, text))
}

function isDuration(text: string): boolean {
  return /^\d+(?:\.\d+)?(?:ms|s|m|h|d|w)$/.test(text)
}

function toMoment(fromNowMs: number): string {
  return new Date(Date.now() + fromNowMs).toISOString()
}

function toNumber(
  flag: string,
  { kind, reads, min = 0, max = Number.MAX_SAFE_INTEGER }: CommandField,
  options: Typed['options'],
): number | undefined {
  const text = options.text(flag)
  if (reads === 'seconds' && text !== undefined)
    return Math.ceil(parseDuration(`--${flag}`, text) / 1000)
  const bounds = { min, max }
  return kind === 'number'
    ? parseNumber(options, flag, bounds)
    : parseDecimal(options, flag, bounds)
}
