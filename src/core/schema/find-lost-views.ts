import type { Issue } from '../kernel/errors.ts'
import type { JsonSchema } from '../kernel/json.ts'
import type { ViewSection, ViewSpec } from '../kernel/views/view-spec.ts'
import { isRecord } from '../kernel/json/json-type.ts'

/** Names in a view that the output schema does not have: misspelt, or removed. */
export function findLostViews(view: ViewSpec | undefined, output: JsonSchema | undefined): Issue[] {
  if (view === undefined || output === undefined) return []
  return view.sections.flatMap((section, index) => {
    const place = `/view/sections/${index}`
    const found = follow(output, section.path)
    if (found === 'lost') {
      return [
        { path: `${place}/path`, message: `names ${section.path}, which is not in the output` },
      ]
    }
    const lost = found === undefined ? [] : findLostKeys(section, { place, schema: found })
    return [...lost, ...findLostFields(section, { place, output })]
  })
}

/** Fields are keys beside the part. */
function findLostFields(
  { path, fields = {} }: ViewSection,
  { place, output }: { place: string; output: JsonSchema },
): Issue[] {
  const above = path.startsWith('/') ? path.slice(0, path.lastIndexOf('/')) : ''
  return Object.entries(fields).flatMap(([name, key]) => {
    const beside =
      above === '' ? key : `${above}/${key.replaceAll('~', '~0').replaceAll('/', '~1')}`
    if (follow(output, beside) !== 'lost') return []
    return [
      { path: `${place}/fields/${name}`, message: `names ${key}, which is not beside ${path}` },
    ]
  })
}

/** The schema at a path; `lost` if there is none, undefined if unknown. */
function follow(output: JsonSchema, path: string): JsonSchema | 'lost' | undefined {
  const steps = path.startsWith('/') ? path.slice(1).split('/').map(unescape) : [path]
  let schema: unknown = output
  for (const step of path === '' ? [] : steps) {
    const properties: unknown = isRecord(schema) ? schema['properties'] : undefined
    if (!isRecord(properties)) return undefined
    if (!Object.hasOwn(properties, step)) return isOpen(schema) ? undefined : 'lost'
    schema = properties[step]
  }
  return isRecord(schema) ? schema : undefined
}

function findLostKeys(
  section: ViewSection,
  { place, schema }: { place: string; schema: JsonSchema },
): Issue[] {
  const row: unknown = schema['items'] ?? schema
  const properties: unknown = isRecord(row) ? row['properties'] : undefined
  if (!isRecord(properties) || isOpen(row)) return []
  return namedKeys(section).flatMap(({ path, key }) =>
    Object.hasOwn(properties, key)
      ? []
      : [{ path: `${place}${path}`, message: `names ${key}, which is not in ${section.path}` }],
  )
}

function namedKeys({ columns = [], chart, ranking }: ViewSection): { path: string; key: string }[] {
  return [
    ...columns.map(({ key }, index) => ({ path: `/columns/${index}/key`, key })),
    ...(chart?.x === undefined ? [] : [{ path: '/chart/x', key: chart.x }]),
    ...(chart?.series ?? []).map(({ key }, index) => ({ path: `/chart/series/${index}/key`, key })),
    ...(ranking === undefined ? [] : [{ path: '/ranking/by', key: ranking.by }]),
    ...(ranking?.label === undefined ? [] : [{ path: '/ranking/label', key: ranking.label }]),
  ]
}

/** Zod closes the objects of outputs; a schema that doesn't may contain any key. */
function isOpen(schema: unknown): boolean {
  if (!isRecord(schema)) return true
  const more = schema['additionalProperties']
  return (more !== undefined && more !== false) || schema['patternProperties'] !== undefined
}

function unescape(step: string): string {
  return step.replaceAll('~1', '/').replaceAll('~0', '~')
}
