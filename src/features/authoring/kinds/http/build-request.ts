import { ToolError } from '../../../../core/kernel/errors.ts'
import type { JsonValue } from '../../../../core/kernel/json.ts'
import { isRecord } from '../../../../core/kernel/json/json-type.ts'
import {
  type ReferenceRoots,
  resolveReferences,
} from '../../../../core/shapes/resolve-references.ts'
import type { HttpSpec } from './http-spec.ts'
import { splitSecrets } from './secret-values.ts'
import { fillUrl, type UrlTemplate } from './url-template.ts'

/** A request that is ready to be sent. */
export interface BuiltRequest {
  url: URL
  headers: Headers
  body?: string | URLSearchParams | FormData
}

export interface RequestValues {
  roots: ReferenceRoots
  /** By name. A test or a preview may give the names themselves. */
  secrets: Readonly<Record<string, string | undefined>>
}

/** Fills a spec in. Throws `invalid_input` for values that a request can't hold. */
export function buildRequest(
  spec: HttpSpec,
  template: UrlTemplate,
  values: RequestValues,
): BuiltRequest {
  const url = fillUrl(template, values.roots)
  for (const [name, value] of Object.entries(spec.query ?? {})) {
    for (const text of toQueryTexts(value, values)) url.searchParams.append(name, text)
  }
  const headers = new Headers()
  for (const [name, value] of Object.entries(spec.headers ?? {})) {
    const text = fillText(value, values)
    if (text !== undefined) setHeader(headers, name, text)
  }
  const sent = toBody(spec, values.roots)
  if (sent.type !== undefined && !headers.has('content-type')) {
    headers.set('content-type', sent.type)
  }
  return { url, headers, ...(sent.body !== undefined && { body: sent.body }) }
}

function toQueryTexts(value: JsonValue, values: RequestValues): string[] {
  if (typeof value === 'string') {
    if (value.includes('secret:')) {
      const text = fillText(value, values)
      return text === undefined ? [] : [text]
    }
    return toTexts(resolveReferences(value, values.roots))
  }
  return toTexts(resolveReferences(value, values.roots))
}

/** A list is sent as several parameters of one name. */
function toTexts(value: JsonValue | undefined): string[] {
  if (value === undefined || value === null) return []
  if (Array.isArray(value)) return value.flatMap((one) => (one === null ? [] : [toText(one)]))
  return [toText(value)]
}

function toText(value: JsonValue): string {
  return typeof value === 'string' ? value : JSON.stringify(value)
}

/**
 * Secrets are found in the spec, before references are filled in: a value of the caller that looks
 * like a secret is only text. Undefined if it is one reference to a value that is missing.
 */
function fillText(text: string, { roots, secrets }: RequestValues): string | undefined {
  const parts = splitSecrets(text)
  if (parts.length === 1 && parts[0] !== undefined && 'text' in parts[0]) {
    const value = resolveReferences(text, roots)
    return value === undefined || value === null ? undefined : toText(value)
  }
  return parts
    .map((part) => {
      if ('secret' in part) return secrets[part.secret] ?? ''
      const value = resolveReferences(part.text, roots)
      return value === undefined || value === null ? '' : toText(value)
    })
    .join('')
}

function setHeader(headers: Headers, name: string, value: string): void {
  // Headers silently trims line breaks at the ends of a value.
  if (/[\r\n\0]/.test(value)) throw badHeader(name, 'has a line break')
  try {
    headers.set(name, value)
  } catch {
    throw badHeader(name, 'has a character that HTTP does not allow')
  }
}

/** Never shows the value, which may hold a secret. */
function badHeader(name: string, reason: string): ToolError {
  return new ToolError('invalid_input', `The value of the header ${name} ${reason}`, {
    fix: 'Send such values in the body, or encode them.',
  })
}

interface Body {
  body?: BuiltRequest['body']
  type?: string
}

function toBody(spec: HttpSpec, roots: ReferenceRoots): Body {
  if (spec.body === undefined) return {}
  const value = resolveReferences(spec.body, roots)
  if (value === undefined) return {}
  const type = spec.bodyType ?? 'json'
  if (type === 'json') return { body: JSON.stringify(value), type: 'application/json' }
  if (type === 'text') return { body: toText(value), type: 'text/plain; charset=utf-8' }
  if (!isRecord(value))
    throw new ToolError('invalid_input', 'The fields of a form must be an object')
  const form = type === 'form' ? new URLSearchParams() : new FormData()
  for (const [name, field] of Object.entries(value as Record<string, JsonValue>)) {
    for (const text of toTexts(field)) form.append(name, text)
  }
  return { body: form }
}
