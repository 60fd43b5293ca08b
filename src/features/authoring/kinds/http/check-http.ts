import type { Finding } from '../../../../core/kernel/finding.ts'
import type { JsonValue } from '../../../../core/kernel/json.ts'
import { pointerStep } from '../../../../core/kernel/json/json-pointer.ts'
import { isRecord } from '../../../../core/kernel/json/json-type.ts'
import { parsePath } from '../../../../core/shapes/reference.ts'
import type { ToolDocument } from '../../model/tool-document.ts'
import { checkReferences } from '../check-references.ts'
import type { HttpSpec } from './http-spec.ts'
import { secretsIn } from './secret-values.ts'
import { parseUrlTemplate } from './url-template.ts'

/** Headers that the server sets, or that speak for a proxy. */
const ownHeaders =
  /^(?:host|connection|content-length|transfer-encoding|te|trailer|upgrade|keep-alive|expect|forwarded|via|x-forwarded-.*|x-original-.*|x-real-ip|proxy-.*|sec-.*)$/i
const headerName = /^[!#$%&'*+.^_`|~A-Za-z0-9-]+$/

/** Checks beyond the schema of an HTTP spec. */
export function checkHttp(document: ToolDocument<HttpSpec>): Finding[] {
  const { spec, inputSchema } = document
  const input = { input: inputSchema, call: undefined }
  const { pick, ...request } = spec
  return [
    ...checkUrl(spec),
    ...checkHeaders(spec),
    ...checkBody(spec),
    ...checkSecrets(spec),
    ...checkReferences(request, '/spec', input),
    ...checkPick(pick, document),
  ]
}

function checkUrl(spec: HttpSpec): Finding[] {
  const template = parseUrlTemplate(spec.url)
  if ('problem' in template) return [toError('/spec/url', template.problem)]
  const isPlain = template.origin.startsWith('http:')
  if (!isPlain || !hasSecret(spec)) return []
  return [
    {
      path: '/spec/url',
      message: 'sends secrets over http, which anybody on the way can read',
      fix: 'Use https.',
      severity: 'warning',
    },
  ]
}

function hasSecret({ headers, query }: HttpSpec): boolean {
  return JSON.stringify([headers ?? {}, query ?? {}]).includes('secret:')
}

function checkHeaders({ headers = {} }: HttpSpec): Finding[] {
  return Object.entries(headers).flatMap(([name, value]): Finding[] => {
    const path = pointerStep('/spec/headers', name)
    if (!headerName.test(name)) return [toError(path, 'is not the name of a header')]
    if (ownHeaders.test(name)) return [toError(path, 'is set by the server; leave it out')]
    return /[\r\n\0]/.test(value) ? [toError(path, 'must not have line breaks')] : []
  })
}

function checkBody({ method, body, bodyType }: HttpSpec): Finding[] {
  if (body === undefined) return []
  if (method === 'GET' || method === 'HEAD') {
    return [toError('/spec/body', `is never sent with ${method}; use query, or POST`)]
  }
  const isForm = bodyType === 'form' || bodyType === 'multipart'
  const isWhole = typeof body === 'string' && body.includes('{{')
  return isForm && !isRecord(body) && !isWhole
    ? [toError('/spec/body', 'must be an object: the fields of the form')]
    : []
}

/** Addresses end up in logs of proxies and servers, and bodies in records. */
function checkSecrets({ url, headers = {}, query = {}, body, pick }: HttpSpec): Finding[] {
  const allowed = [
    ...Object.entries(headers).map(([name, value]) => [pointerStep('/spec/headers', name), value]),
    ...Object.entries(query).map(([name, value]) => [pointerStep('/spec/query', name), value]),
  ] as [path: string, value: JsonValue][]
  const wrong = allowed.flatMap(([path, value]) => {
    const secrets = textsOf(value).flatMap(secretsIn)
    const isLiteral = typeof value === 'string' && !secrets.includes(undefined)
    const message = 'must name its secret literally, like secret:stripe_key, and not in a list'
    return secrets.length === 0 || isLiteral ? [] : [toError(path, message)]
  })
  const elsewhere = { '/spec/url': url, '/spec/body': body, '/spec/pick': pick }
  const misplaced = Object.entries(elsewhere).flatMap(([path, value]) =>
    textsOf(value).some((text) => secretsIn(text).length > 0)
      ? [
          {
            ...toError(path, 'must not hold a secret'),
            fix: 'Secrets are allowed in headers and query only.',
          },
        ]
      : [],
  )
  return [...wrong, ...misplaced]
}

function textsOf(value: JsonValue | undefined): string[] {
  if (typeof value === 'string') return [value]
  if (Array.isArray(value)) return value.flatMap(textsOf)
  return isRecord(value) ? Object.values(value as Record<string, JsonValue>).flatMap(textsOf) : []
}

function checkPick(pick: JsonValue | undefined, { inputSchema }: ToolDocument): Finding[] {
  if (pick === undefined) return []
  const roots = { input: inputSchema, body: undefined, status: undefined, headers: undefined }
  const path = typeof pick === 'string' ? parsePath(pick) : undefined
  if (path === undefined) return checkReferences(pick, '/spec/pick', roots)
  return checkReferences(`{{${path.path}}}`, '/spec/pick', roots)
}

function toError(path: string, message: string): Finding {
  return { path, message, severity: 'error' }
}
