import type { ClientConfig } from './client-configs.ts'

/** The part of a client's file that describes one server. */
export interface Snippet {
  name: string
  entry: Record<string, unknown>
  /** True if the entries beside the section are required. */
  needsBeside: boolean
}

/** The text to paste into a file that has nothing else in it. */
export function toSnippetText(config: ClientConfig, snippet: Snippet): string {
  if (config.format === 'toml') return toTomlTable(config.section, snippet)
  return JSON.stringify(toJsonFile(config, snippet), null, 2)
}

/**
 * The same as a value, merged into the contents of the file. Throws if the file is not of this
 * kind.
 */
export function toJsonFile(
  { section, beside = {} }: ClientConfig,
  { name, entry, needsBeside }: Snippet,
  before: unknown = {},
): Record<string, unknown> {
  if (!isObject(before)) throw new TypeError('it does not hold a JSON object')
  const servers = before[section] ?? {}
  if (!isObject(servers)) throw new TypeError(`${section} is not an object`)
  const lists = needsBeside ? Object.entries(beside) : []
  return {
    ...before,
    ...Object.fromEntries(lists.map(([key, items]) => [key, addItems(before[key], items)])),
    [section]: { ...servers, [name]: entry },
  }
}

/** A TOML table, and one for every table in it. */
export function toTomlTable(section: string, { name, entry }: Pick<Snippet, 'name' | 'entry'>) {
  const isTable = (value: unknown) => isObject(value)
  const lines = Object.entries(entry).filter(([, value]) => !isTable(value))
  const tables = Object.entries(entry).filter(([, value]) => isTable(value))
  const path = `${section}.${toTomlKey(name)}`
  return [
    `[${path}]`,
    ...lines.map(([key, value]) => `${key} = ${toTomlValue(value)}`),
    ...tables.flatMap(([key, value]) => [
      '',
      `[${path}.${key}]`,
      ...Object.entries(value as object).map(
        ([inner, text]) => `${toTomlKey(inner)} = ${toTomlValue(text)}`,
      ),
    ]),
  ].join('\n')
}

/** True where a TOML text has this table, or something in it. Names are letters, digits, `_` and `-`. */
export function hasTomlTable(text: string, section: string, name: string): boolean {
  const key = `(?:${name}|"${name}"|'${name}')`
  return new RegExp(String.raw`^\s*\[\s*${section}\s*\.\s*${key}\s*[.\]]`, 'm').test(text)
}

function toTomlKey(key: string): string {
  return /^[\w-]+$/.test(key) ? key : JSON.stringify(key)
}

/** JSON's texts, and lists of them, are TOML's too. */
function toTomlValue(value: unknown): string {
  if (!Array.isArray(value)) return JSON.stringify(value)
  return `[${value.map((one) => JSON.stringify(one)).join(', ')}]`
}

function addItems(before: unknown, items: readonly Record<string, unknown>[]): unknown[] {
  const there = Array.isArray(before) ? (before as { id?: unknown }[]) : []
  return [...there.filter(({ id }) => !items.some((item) => item['id'] === id)), ...items]
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
