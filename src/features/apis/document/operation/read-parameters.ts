import { isRecord } from '../../../../core/kernel/json/json-type.ts'
import type {
  AuthScheme,
  Json,
  JsonObject,
  OperationParameter,
  ParameterWriting,
  ParameterPlace,
  ParameterStyle,
} from '../../model.ts'
import type { References } from '../references.ts'
import { memberOf, recordIn, textIn } from '../values.ts'

/** A parameter with its schema, as a document has it. */
export interface FoundParameter extends Omit<OperationParameter, 'field'> {
  isRequired: boolean
  description: string | undefined
  schema: Json
}

/** Headers that the connection, the body or the secrets of the API set. */
const notForCallers = new Set([
  'accept',
  'authorization',
  'connection',
  'content-length',
  'content-type',
  'cookie',
  'host',
  'proxy-authorization',
  'transfer-encoding',
])
/** Headers and cookies that carry a credential, where a document does not say so. */
const credential =
  /(?:^|[-_])(?:api-?_?key|auth|authorization|auth-?_?token|access-?_?token|session(?:id)?|csrf(?:token)?)$/i

const places: readonly ParameterPlace[] = ['path', 'query', 'header', 'cookie']

/** The parameters of an operation, those of its path included; its own win. */
export function readParameters(
  lists: readonly Json[][],
  { references, schemes }: { references: References; schemes: readonly AuthScheme[] },
): { parameters: FoundParameter[]; dropped: string[] } {
  const byPlace = new Map<string, FoundParameter>()
  for (const given of lists.flat()) {
    const parameter = toParameter(references.follow(given))
    if (parameter !== undefined) byPlace.set(`${parameter.in} ${parameter.name}`, parameter)
  }
  const all = [...byPlace.values()]
  const isKept = (one: FoundParameter) => !isCredential(one, schemes)
  const dropped = all.filter((one) => !isKept(one) && one.isRequired && !isSigned(one, schemes))
  return { parameters: all.filter(isKept), dropped: dropped.map(({ name }) => name) }
}

function isCredential(parameter: FoundParameter, schemes: readonly AuthScheme[]): boolean {
  const { in: place, name } = parameter
  if (isSigned(parameter, schemes)) return true
  if (place === 'header') return notForCallers.has(name.toLowerCase()) || credential.test(name)
  return place === 'cookie' && credential.test(name)
}

function isSigned({ in: place, name }: FoundParameter, schemes: readonly AuthScheme[]): boolean {
  const isSame = (other: string) =>
    place === 'header' ? other.toLowerCase() === name.toLowerCase() : other === name
  if (place === 'header' && notForCallers.has(name.toLowerCase())) return true
  return schemes.some(
    (scheme) => scheme.kind === 'key' && scheme.in === place && isSame(scheme.parameter),
  )
}

function toParameter(given: JsonObject | undefined): FoundParameter | undefined {
  const name = textIn(given, 'name', 500)
  const place = places.find((one) => one === memberOf(given, 'in'))
  if (given === undefined || name === undefined || place === undefined) return undefined
  const content = Object.entries(recordIn(given, 'content'))[0]
  const isRequired = given['required'] === true || place === 'path'
  const description = textIn(given, 'description', 1000)
  const common = { name, in: place, isRequired, description }
  if (content !== undefined) {
    const schema = memberOf(content[1], 'schema') ?? {}
    return { ...common, schema, style: 'json', explode: false }
  }
  const schema = memberOf(given, 'schema') ?? schemaOfSwagger(given)
  return { ...common, schema, ...toWriting(given, place) }
}

const styles: readonly ParameterStyle[] = [
  'simple',
  'label',
  'matrix',
  'form',
  'spaceDelimited',
  'pipeDelimited',
  'deepObject',
]
const usualStyle = { path: 'simple', query: 'form', header: 'simple', cookie: 'form' } as const

const collections: Readonly<Record<string, ParameterWriting>> = {
  csv: { style: 'form', explode: false },
  multi: { style: 'form', explode: true },
  ssv: { style: 'spaceDelimited', explode: false },
  tsv: { style: 'tabDelimited', explode: false },
  pipes: { style: 'pipeDelimited', explode: false },
}

/** How a parameter, or a part of a form, is written. */
export function toWriting(given: JsonObject, place: ParameterPlace): ParameterWriting {
  const isSwagger = memberOf(given, 'schema') === undefined && given['type'] !== undefined
  const collection = isSwagger ? (textIn(given, 'collectionFormat') ?? 'csv') : ''
  const written = Object.hasOwn(collections, collection) ? collections[collection] : undefined
  if (written !== undefined) {
    return place === 'path' || place === 'header' ? { ...written, style: 'simple' } : written
  }
  const style = styles.find((one) => one === given['style']) ?? usualStyle[place]
  const explode = given['explode']
  return {
    style,
    explode: typeof explode === 'boolean' ? explode : style === 'form' || style === 'deepObject',
    ...(given['allowReserved'] === true && { allowReserved: true }),
  }
}

/** Swagger 2 has the schema of a parameter beside its name. */
export function schemaOfSwagger(given: JsonObject): JsonObject {
  const {
    name: _name,
    in: _in,
    required: _required,
    collectionFormat: _format,
    description: _description,
    ...schema
  } = given
  return isRecord(schema) ? schema : {}
}
