import { ToolError } from '../../../../core/kernel/errors.ts'
import { parseTemplate, type Reference } from '../../../../core/shapes/reference.ts'
import { followReference, type ReferenceRoots } from '../../../../core/shapes/resolve-references.ts'

/** An address with a literal scheme and host, and references after them. */
export interface UrlTemplate {
  /** `https://api.example.com:8443` */
  origin: string
  host: string
  path: readonly UrlPart[]
  query: readonly UrlPart[]
}

type UrlPart = { text: string } | { reference: Reference }

/** Scheme and authority, up to the first character that ends them in any parser. */
const start = /^(https?):\/\/([^/?#\\]*)/i

/** The template of an address, or why it can't be one. The message ends a sentence: `The url …`. */
export function parseUrlTemplate(url: string): UrlTemplate | { problem: string } {
  const found = start.exec(url)
  if (found === null) return { problem: 'must start with http:// or https://' }
  const [whole, , authority = ''] = found
  const problem = findAuthorityProblem(authority) ?? findCharacterProblem(url)
  if (problem !== undefined) return { problem }
  const base = URL.parse(whole)
  if (base === null || base.hostname === '') return { problem: 'has no valid host' }
  const rest = url.slice(whole.length)
  const parts = toParts(rest)
  if (parts === undefined) return { problem: 'has braces without a valid reference' }
  const at = splitAtQuery(parts)
  return { origin: base.origin, host: base.host, path: at.path, query: at.query }
}

function findAuthorityProblem(authority: string): string | undefined {
  if (/[{}]/.test(authority)) {
    return 'must have a literal host: references are allowed in the path and the query only'
  }
  if (!authority.includes('@')) return undefined
  return 'must not hold a name or a password; use a header with secret:<name>'
}

/** Parsers drop tabs and line breaks, and read a backslash as a slash: what is seen is not what is sent. */
function findCharacterProblem(url: string): string | undefined {
  const literal = url.replaceAll(/\{\{[^{}]*\}\}/g, 'x')
  if (/[\s\\\p{Cc}]/u.test(literal)) {
    return 'must not have spaces, backslashes or control characters'
  }
  if (literal.includes('#')) return 'must not have a fragment (#…), which is never sent'
  const path = literal.replace(/\?.*$/, '')
  return path.split('/').some(isDots) ? 'must not have the segments . and ..' : undefined
}

function isDots(segment: string): boolean {
  return /^(?:\.|%2e){1,2}$/i.test(segment)
}

function toParts(text: string): UrlPart[] | undefined {
  const parts = parseTemplate(text)
  if (parts.some(({ kind }) => kind === 'malformed')) return undefined
  return parts.flatMap((part): UrlPart[] => {
    if (part.kind === 'reference') return [{ reference: part.reference }]
    return part.kind === 'text' ? [{ text: part.text }] : []
  })
}

function splitAtQuery(parts: readonly UrlPart[]): { path: UrlPart[]; query: UrlPart[] } {
  const at = parts.findIndex((part) => 'text' in part && part.text.includes('?'))
  const divided = parts[at]
  if (divided === undefined || !('text' in divided)) return { path: [...parts], query: [] }
  const mark = divided.text.indexOf('?')
  const before = divided.text.slice(0, mark)
  const after = divided.text.slice(mark + 1)
  return {
    path: [...parts.slice(0, at), ...(before === '' ? [] : [{ text: before }])],
    query: [...(after === '' ? [] : [{ text: after }]), ...parts.slice(at + 1)],
  }
}

/** The address with its references filled in and encoded. Throws `invalid_input`. */
export function fillUrl(template: UrlTemplate, roots: ReferenceRoots): URL {
  const path = template.path.map((part) => fillPath(part, roots)).join('')
  if (template.path.some((part) => 'reference' in part)) assertSegments(path, template)
  const query = template.query.map((part) => fillQuery(part, roots)).join('')
  const url = new URL(`${template.origin}${path}${query === '' ? '' : `?${query}`}`)
  // The host was checked when the tool was saved; no value may change it.
  if (url.origin === template.origin) return url
  throw new ToolError('invalid_input', 'The values lead to another host')
}

function fillPath(part: UrlPart, roots: ReferenceRoots): string {
  if ('text' in part) return part.text
  const { path } = part.reference
  const value = followReference(part.reference, roots)
  if (value === undefined || value === null || typeof value === 'object') {
    throw unfit(path, 'is missing, or not a single value')
  }
  const text = String(value)
  // `/customers/{{input.id}}` without an id is another resource: all customers.
  if (text === '') throw unfit(path, 'is empty')
  if (!text.isWellFormed()) throw unfit(path, 'holds half a character')
  return encodeURIComponent(text)
}

/** `..` survives encoding, and would lead to another resource. */
function assertSegments(path: string, { path: parts }: UrlTemplate): void {
  if (!path.split('/').some(isDots)) return
  const named = parts.find((part) => 'reference' in part)
  throw unfit(named?.reference.path ?? 'the path', 'makes a segment of dots')
}

function fillQuery(part: UrlPart, roots: ReferenceRoots): string {
  if ('text' in part) return part.text
  const value = followReference(part.reference, roots)
  if (value === undefined || value === null) return ''
  const text = typeof value === 'string' ? value : JSON.stringify(value)
  return encodeURIComponent(text.toWellFormed())
}

function unfit(path: string, reason: string): ToolError {
  const message = `${path} ${reason}, so it can't be part of the address`
  const pointer = path.startsWith('input.') ? `/${path.slice(6).replaceAll('.', '/')}` : ''
  return new ToolError('invalid_input', message, { issues: [{ path: pointer, message }] })
}
