import { ToolError } from '../../../core/kernel/errors.ts'
import type { BodyField, Json, JsonObject, ApiOperation } from '../model.ts'
import { memberOf } from '../document/values.ts'
import { toText, writePairs, writeSimple } from './write-value.ts'

/** Reads a file that the input names. */
export type ReadFile = (value: string) => Promise<{
  name?: string | undefined
  mediaType: string
  bytes: Uint8Array
}>

/** A request without its credentials. */
export interface OperationRequestParts {
  method: string
  url: URL
  headers: Headers
  body?: string | FormData | Uint8Array
}

interface RequestParts {
  definition: ApiOperation
  /** The base of the path. */
  server: string
  readFile: ReadFile
}

/** Makes the request of an operation from the input of its tool. */
export async function toRequest(
  input: JsonObject,
  parts: RequestParts,
): Promise<OperationRequestParts> {
  const { definition, server } = parts
  const { method } = definition
  const url = toUrl(input, definition, server)
  const headers = toHeaders(input, definition)
  const request: OperationRequestParts = { method, url, headers }
  if (definition.body === undefined) return request
  const body = await toBody(input, parts)
  if (body === undefined) return request
  // The type of a multipart body includes its boundary, which fetch sets.
  if (!(body instanceof FormData)) headers.set('content-type', definition.body.mediaType)
  return { ...request, body }
}

function toUrl(input: JsonObject, definition: ApiOperation, server: string): URL {
  const { parameters } = definition
  const inPath = new Map(parameters.flatMap((one) => (one.in === 'path' ? [[one.name, one]] : [])))
  const path = definition.path.replaceAll(/\{([^{}]+)\}/g, (all, name: string) => {
    const parameter = inPath.get(name)
    if (parameter === undefined) return all
    const value = memberOf(input, parameter.field)
    const text = value === undefined ? '' : writeSimple(name, value, parameter)
    // An empty part, or dots, would make it another path.
    if (/^\.{0,2}$/.test(decodeURIComponent(text))) throw notInPath(parameter.field)
    return text
  })
  const url = new URL(`${server.replace(/\/+$/, '')}${path}`)
  const pairs = parameters
    .filter((one) => one.in === 'query')
    .flatMap((one) =>
      writeGiven(memberOf(input, one.field), (value) => writePairs(one.name, value, one)),
    )
  const query = pairs.map(([name, value]) => `${name}=${value}`).join('&')
  if (query !== '') url.search = url.search === '' ? query : `${url.search}&${query}`
  return url
}

function notInPath(field: string): ToolError {
  const issues = [{ path: `/${field}`, message: 'must be a value that a path can hold' }]
  return new ToolError('invalid_input', `${field} is a part of the path and can not be empty`, {
    issues,
  })
}

function toHeaders(input: JsonObject, { parameters, accept }: ApiOperation): Headers {
  const headers = new Headers({ accept: accept.length > 0 ? accept.join(', ') : '*/*' })
  const cookies: string[] = []
  for (const one of parameters) {
    const value = memberOf(input, one.field)
    if (value === undefined || value === null) continue
    if (one.in === 'header') headers.set(one.name, toHeaderText(one.field, value, one.explode))
    if (one.in === 'cookie') {
      cookies.push(...writePairs(one.name, value, one).map(([name, text]) => `${name}=${text}`))
    }
  }
  if (cookies.length > 0) headers.set('cookie', cookies.join('; '))
  return headers
}

/** Headers are not percent-encoded, so nothing may be in a value that ends it. */
function toHeaderText(field: string, value: Json, explode: boolean): string {
  const pairs =
    typeof value === 'object' && value !== null && !Array.isArray(value)
      ? Object.entries(value).map(([key, item]) => `${key}${explode ? '=' : ','}${toText(item)}`)
      : undefined
  const items = pairs ?? (Array.isArray(value) ? value.map(toText) : [toText(value)])
  const text = items.join(',')
  if (/^[\t\x20-\x7e]*$/.test(text)) return text
  const issues = [{ path: `/${field}`, message: 'must be plain ASCII text on one line' }]
  throw new ToolError('invalid_input', `${field} can not be sent as a header`, { issues })
}

function writeGiven<T>(value: Json | undefined, write: (value: Json) => T[]): T[] {
  return value === undefined || value === null ? [] : write(value)
}

async function toBody(
  input: JsonObject,
  parts: RequestParts,
): Promise<OperationRequestParts['body']> {
  const { body } = parts.definition
  if (body === undefined) return undefined
  const { field, fields = [], kind, isRequired } = body
  if (field !== undefined) {
    const value = memberOf(input, field)
    return value === undefined ? undefined : writeWhole(value, kind, parts)
  }
  const given = fields.flatMap((one) => {
    const value = memberOf(input, one.field)
    return value === undefined ? [] : [[one, value] as const]
  })
  if (given.length === 0 && !isRequired) return undefined
  if (kind === 'json') {
    // Defined one by one, so that any name is a name.
    return JSON.stringify(Object.fromEntries(given.map(([one, value]) => [one.name, value])))
  }
  return kind === 'multipart' ? writeMultipart(given, parts.readFile) : writeForm(given)
}

async function writeWhole(
  value: Json,
  kind: NonNullable<ApiOperation['body']>['kind'],
  { readFile }: RequestParts,
): Promise<OperationRequestParts['body']> {
  if (kind === 'json') return JSON.stringify(value)
  if (kind === 'text') return toText(value)
  if (kind === 'file') return (await readFile(toText(value))).bytes
  const entries = Object.entries(typeof value === 'object' && value !== null ? value : {})
  const given = entries.map(([name, item]) => [{ field: name, name }, item] as const)
  return kind === 'form' ? writeForm(given) : writeMultipart(given, readFile)
}

type Given = readonly (readonly [field: BodyField, value: Json])[]

const formWriting = { style: 'form', explode: true } as const

function writeForm(given: Given): string {
  const pairs = given.flatMap(([{ name, writing = formWriting }, value]) =>
    writeGiven(value, (item) => writePairs(name, item, { ...writing, allowReserved: false })),
  )
  return pairs
    .map(([name, value]) => `${name}=${value}`)
    .join('&')
    .replaceAll('%20', '+')
}

async function writeMultipart(given: Given, readFile: ReadFile): Promise<FormData> {
  const form = new FormData()
  for (const [field, value] of given) {
    for (const item of Array.isArray(value) ? value : [value]) {
      if (item === null) continue
      if (field.file !== undefined) await addFile(form, field.name, await readFile(toText(item)))
      else addPart(form, field, item)
    }
  }
  return form
}

async function addFile(
  form: FormData,
  name: string,
  { bytes, mediaType, name: fileName }: Awaited<ReturnType<ReadFile>>,
): Promise<void> {
  form.append(name, new Blob([new Uint8Array(bytes)], { type: mediaType }), fileName ?? name)
}

function addPart(form: FormData, { name, mediaType, writing }: BodyField, value: Json): void {
  const type = mediaType ?? (writing?.style === 'json' ? 'application/json' : undefined)
  const text = writing?.style === 'json' ? JSON.stringify(value) : toText(value)
  if (type === undefined) form.append(name, text)
  else form.append(name, new Blob([text], { type }))
}
