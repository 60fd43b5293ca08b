import type { ToolDocument } from '../authoring/model/tool-document.ts'
import type { HttpSpec } from '../authoring/kinds/http/http-spec.ts'
import type { Finding } from '../../core/kernel/finding.ts'
import type { JsonValue } from '../../core/kernel/json.ts'
import type { ApiOperation, AuthScheme, OperationParameter } from './model.ts'
import type { ApiSpec } from './spec.ts'

interface Origin {
  api: string
  spec: Pick<ApiSpec, 'auth' | 'headers'> & { server: string }
  schemes: readonly AuthScheme[]
}

/** A document that sends the same request, with the parts that it can not express. */
export interface HttpDraft {
  document: ToolDocument<HttpSpec>
  findings: Finding[]
}

/** An operation as a tool of one’s own, to be changed freely. The imported one stays as it is. */
export function toHttpDocument(operation: ApiOperation, origin: Origin): HttpDraft {
  const { name, title, description, method, inputSchema, outputSchema } = operation
  const { parameters, body } = operation
  const of = (place: OperationParameter['in']) => parameters.filter((one) => one.in === place)
  const signing = toSigning(operation, origin)
  const query = { ...toMap(of('query')), ...signing.query }
  const headers = { ...toTexts(of('header')), ...signing.headers, ...origin.spec.headers }
  const spec: HttpSpec = {
    kind: 'http',
    method,
    url: toUrl(operation, origin),
    ...(Object.keys(query).length > 0 && { query }),
    ...(Object.keys(headers).length > 0 && { headers }),
    ...toBody(body),
  }
  const document: ToolDocument<HttpSpec> = {
    name: toOwnName(origin.api, name),
    title,
    description: description.slice(0, 1024),
    inputSchema,
    ...(outputSchema !== undefined && { outputSchema }),
    spec,
  }
  return { document, findings: findLost(operation) }
}

/** Names of authored tools are lower-case words joined by dots. */
function toOwnName(api: string, operation: string): string {
  const words = `${api}.${operation}`
    .replaceAll(/([a-z0-9])([A-Z])/g, '$1-$2')
    .toLowerCase()
    .split('.')
    .map((word) => word.replaceAll(/[^a-z0-9_-]+/g, '-').replaceAll(/^[^a-z]+|[-_]+$/g, ''))
  return (
    words
      .filter((word) => word !== '')
      .join('.')
      .slice(0, 100) || 'api.operation'
  )
}

function toReference(field: string): string {
  return `{{input.${field}}}`
}

function toUrl({ path, parameters, server }: ApiOperation, { spec }: Origin): string {
  const filled = path.replaceAll(/\{([^{}]+)\}/g, (all, name: string) => {
    const found = parameters.find((one) => one.in === 'path' && one.name === name)
    return found === undefined ? all : toReference(found.field)
  })
  return `${(server ?? spec.server).replace(/\/+$/, '')}${filled}`
}

function toMap(parameters: readonly OperationParameter[]): { [name: string]: JsonValue } {
  return Object.fromEntries(parameters.map(({ name, field }) => [name, toReference(field)]))
}

function toTexts(parameters: readonly OperationParameter[]): { [name: string]: string } {
  return Object.fromEntries(parameters.map(({ name, field }) => [name, toReference(field)]))
}

function toBody(body: ApiOperation['body']): Pick<HttpSpec, 'body' | 'bodyType'> {
  if (body === undefined) return {}
  const bodyType = body.kind === 'file' ? 'text' : body.kind
  if (body.field !== undefined) return { body: toReference(body.field), bodyType }
  const fields = (body.fields ?? []).map(({ name, field }) => [name, toReference(field)] as const)
  return { body: Object.fromEntries(fields), bodyType }
}

/** The first alternative for whose schemes there are secrets. */
function toSigning(
  { security }: ApiOperation,
  { spec, schemes }: Origin,
): { headers: { [name: string]: string }; query: { [name: string]: string } } {
  const isGiven = (name: string) => Object.hasOwn(spec.auth, name)
  const used = security.find((names) => names.length > 0 && names.every(isGiven)) ?? []
  const headers: { [name: string]: string } = {}
  const query: { [name: string]: string } = {}
  for (const name of used) {
    const scheme = schemes.find((one) => one.name === name)
    const secret = `secret:${spec.auth[name] ?? ''}`
    if (scheme?.kind === 'bearer') headers['authorization'] = `Bearer ${secret}`
    if (scheme?.kind !== 'key') continue
    if (scheme.in === 'header') headers[scheme.parameter] = secret
    if (scheme.in === 'query') query[scheme.parameter] = secret
  }
  return { headers, query }
}

/** A spec has one way to write a value: names and lists as several. */
function findLost({ parameters, body, security, method }: ApiOperation): Finding[] {
  const odd = parameters.filter(
    ({ in: place, style, explode }) =>
      place === 'cookie' || (place === 'query' && (style !== 'form' || !explode)),
  )
  const files = (body?.fields ?? []).filter(({ file }) => file !== undefined)
  const isFile = files.length > 0 || body?.kind === 'file'
  const messages = [
    ...odd.map(({ name }) => `The parameter ${name} is written differently: ${describe}`),
    ...(isFile ? ['Its body is a file, which this kind of tool does not send'] : []),
    ...(method === 'HEAD' && security.length > 1 ? ['Only one way to sign in is kept'] : []),
  ]
  return messages.map((message) => ({ path: '/spec', message, severity: 'warning' as const }))
}

const describe = 'send it yourself in the url or a header'
