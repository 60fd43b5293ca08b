import type { Api } from '../api/client.ts'
import type { JsonObject, JsonValue } from '../api/json.ts'
import { guessWriting } from './values/guess-column.ts'
import { chooseKind, isContent, isFlat, isPicture, isSound } from './shape.ts'
import type { DrawnKind } from './shape.ts'
import { isObject, isScalar } from './values/view-types.ts'
import type { ViewColumn, ViewKind, ViewSection } from './values/view-types.ts'
import { toLabel } from './values/labels.ts'
import { keysOfFacts, readFacts } from './section-facts.ts'
import { firstStep, resolve } from './resolve-path.ts'

/** A part of an output, and how to draw it. */
export interface Planned extends Pick<
  ViewSection,
  'description' | 'columns' | 'chart' | 'ranking'
> {
  id: string
  title?: string
  kind: DrawnKind
  value: JsonValue
  /** Facts about it from the keys beside it, where its kind has some. */
  facts?: JsonObject
}

export type Definition = Pick<Api<'ToolDetail'>, 'sections' | 'view' | 'outputSchema'>

/** The parts of an output in order: those of the view, those of the sections, and the rest by shape. */
export function planOutput(output: JsonValue, tool: Definition | undefined): Planned[] {
  if (isContent(output)) return planContent(output, tool)
  const said = mergeSections(tool)
  if (said.length === 0 || !fits(output, said)) return planShape(output, '')
  const shown = said.filter((section) => section.hidden !== true)
  const parts = shown.flatMap((section) => planSection(output, section))
  const rest = tool?.view?.rest === 'hide' ? [] : planRest(output, said)
  return number(joinScalars([...parts, ...rest]))
}

/**
 * An output without any of the declared keys (an error in its place, another version) is drawn by its
 * shape.
 */
function fits(output: JsonValue, said: readonly ViewSection[]): boolean {
  return said.some(({ path }) => resolve(output, path) !== undefined)
}

function planContent(
  output: { $content: JsonValue[]; $structured?: JsonValue },
  tool: Definition | undefined,
): Planned[] {
  const content: Planned = { id: 'content', kind: 'content', value: output.$content }
  const { $structured } = output
  if ($structured === undefined) return [content]
  const beside = output.$content.filter((block) => !isObject(block) || block['type'] !== 'text')
  const parts = planOutput($structured, tool)
  return beside.length === 0 ? parts : [...parts, { ...content, value: beside }]
}

/** The view first; `sections` fill in keys that it does not declare. */
function mergeSections(tool: Definition | undefined): ViewSection[] {
  const viewed = tool?.view?.sections ?? []
  const sections = (tool?.sections ?? []).map(({ key, label, type, fields }): ViewSection => ({
    path: key,
    title: label,
    kind: type as ViewKind,
    ...(fields !== undefined && { fields }),
  }))
  const merged = viewed.map((section) => {
    const base = sections.find(({ path }) => path === section.path)
    const isFirst = viewed.find(({ path }) => path === section.path) === section
    return isFirst ? { ...base, ...section } : section
  })
  const named = new Set(viewed.map(({ path }) => path))
  return [...merged, ...sections.filter(({ path }) => !named.has(path))]
}

function planSection(output: JsonValue, section: ViewSection): Planned[] {
  const value = resolve(output, section.path)
  if (value === undefined) return []
  const { path, title, kind: said, fields, ...rest } = section
  const kind = fitKind(said, section, value)
  const label = title ?? (path === '' ? undefined : toLabel(path.split('/').at(-1) ?? path))
  const facts = readFacts(output, { path, kind, fields })
  return [
    {
      ...rest,
      id: path,
      kind,
      value,
      ...(label !== undefined && { title: label }),
      ...(facts !== undefined && { facts }),
    },
  ]
}

/** The declared kind where the value can be drawn so; otherwise its shape decides. */
function fitKind(
  said: ViewKind | undefined,
  { chart, ranking }: ViewSection,
  value: JsonValue,
): DrawnKind {
  const wanted = said ?? (chart && 'chart') ?? (ranking && 'ranking')
  const isEmptyList = Array.isArray(value) && value.length === 0
  if (wanted === undefined || value === null || isEmptyList) return chooseKind(value)
  // The server of another version may know kinds that we do not.
  const isKnown = Object.hasOwn(canDraw, wanted)
  return isKnown && canDraw[wanted](value) ? wanted : chooseKind(value)
}

const isText = (value: JsonValue): value is string => typeof value === 'string'

const canDraw: Record<ViewKind, (value: JsonValue) => boolean> = {
  json: () => true,
  summary: (value) => isObject(value) || isScalar(value),
  table: Array.isArray,
  chart: isRows,
  radar: isRows,
  ranking: isRows,
  markdown: isText,
  text: isText,
  image: (value) => isText(value) && isPicture(value),
  audio: (value) => isText(value) && isSound(value),
  code: isText,
  terminal: isText,
  diff: isText,
  page: isText,
}

function isRows(value: JsonValue): boolean {
  return Array.isArray(value) && value.every(isObject)
}

/** Keys that are not declared: single values together, everything else by itself. */
function planRest(output: JsonValue, said: readonly ViewSection[]): Planned[] {
  if (!isObject(output) || said.some(({ path }) => path === '')) return []
  const named = new Set(said.map(({ path }) => (path.startsWith('/') ? firstStep(path) : path)))
  for (const section of said) for (const key of keysOfFacts(output, section)) named.add(key)
  // A tool that keeps a file only sometimes returns null otherwise: nothing to show.
  const keys = Object.keys(output).filter(
    (key) => !named.has(key) && !(key === 'artifact' && output[key] === null),
  )
  if (keys.length === 0) return []
  const rest = planObject(Object.fromEntries(keys.map((key) => [key, output[key] ?? null])), '')
  return rest.map((part) => ({ title: 'More', ...part }))
}

/** By the shape alone. An object with larger things in it is taken apart, twice at most. */
function planShape(value: JsonValue, path: string, depth = 0): Planned[] {
  const kind = chooseKind(value)
  if (kind === 'parts' && isObject(value)) {
    return depth < 2 ? planObject(value, path, depth) : [{ id: path, kind: 'json', value }]
  }
  return [{ id: path, kind, value }]
}

function planObject(value: JsonObject, path: string, depth = 0): Planned[] {
  const keys = Object.keys(value)
  const single = keys.filter((key) => isFlat(value[key]) && !isLarge(value[key]))
  const parts: Planned[] = []
  if (single.length > 0) {
    const fields = Object.fromEntries(single.map((key) => [key, value[key] ?? null]))
    parts.push({ id: `${path}/`, kind: 'summary', value: fields })
  }
  for (const key of keys.filter((name) => !single.includes(name))) {
    const inner = planShape(value[key] ?? null, `${path}/${key}`, depth + 1)
    const label = toLabel(key)
    for (const part of inner) {
      parts.push({ ...part, title: part.title === undefined ? label : `${label}: ${part.title}` })
    }
  }
  return parts
}

/** A text, a picture or a sound needs a place of its own. */
function isLarge(value: JsonValue | undefined): boolean {
  const kind = chooseKind(value ?? null)
  return kind === 'text' || kind === 'image' || kind === 'audio' || kind === 'list'
}

/** Neighbouring single values that were each called a summary share one row of cards. */
function joinScalars(parts: readonly Planned[]): Planned[] {
  const joined: Planned[] = []
  let open: { value: JsonObject; columns: ViewColumn[] } | undefined
  for (const part of parts) {
    const isSingle = isScalar(part.value) && (part.kind === 'summary' || part.kind === 'value')
    if (!isSingle) {
      open = undefined
      joined.push(part)
      continue
    }
    if (open === undefined) {
      open = { value: {}, columns: [] }
      joined.push({ id: part.id, kind: 'summary', ...open })
    }
    // A name of our own: theirs may be one that means something to JavaScript.
    const key = `value${open.columns.length}`
    open.value[key] = part.value
    open.columns.push({
      ...guessWriting(part.id, [part.value]),
      ...part.columns?.[0],
      key,
      label: part.title ?? toLabel(part.id),
    })
  }
  return joined
}

/** A part may be drawn twice, as a ranking and as a chart: names stay unique. */
function number(parts: readonly Planned[]): Planned[] {
  return parts.map((part, index) => ({ ...part, id: `${index}:${part.id}` }))
}
