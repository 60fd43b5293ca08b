import { isRecord } from '../../../core/kernel/json/json-type.ts'
import type { JsonSchema, JsonValue } from '../../../core/kernel/json.ts'
import { type HttpMethod, httpMethods, type HttpSpec } from '../kinds/http/http-spec.ts'
import type { ToolDocument } from '../model/tool-document.ts'
import { isNoise, isSecret, splitScheme } from './credentials.ts'
import { createKeys, toKey, toPack, toTemplate, toVerb, wholeVariable } from './draft-names.ts'
import { type CurlRequest, parseCurl } from './parse-curl.ts'

/** A draft, and what its author should know. */
export interface CurlDraft {
  document: ToolDocument<HttpSpec>
  /** Names of secrets that were in the command. Their values are in neither. */
  secrets: string[]
  notes: string[]
}

/** A tool that sends what a pasted cURL command would send. Throws `invalid_input`. */
export function draftFromCurl(text: string): CurlDraft {
  return new Drafting(parseCurl(text)).toDraft()
}

/** More would be a form that nobody fills in. */
const maxInputs = 30

class Drafting {
  readonly #request: CurlRequest
  readonly #keyFor = createKeys()
  readonly #properties: Record<string, JsonSchema> = {}
  readonly #example: Record<string, JsonValue> = {}
  readonly #variables = new Map<string, string>()
  readonly #secrets = new Set<string>()
  readonly #notes: string[] = []
  #pack = 'api'

  constructor(request: CurlRequest) {
    this.#request = request
  }

  toDraft(): CurlDraft {
    const { method, url, ignored } = this.#request
    const address = this.#toAddress(url)
    const headers = this.#toHeaders()
    const spec: HttpSpec = {
      kind: 'http',
      method: this.#toMethod(method),
      url: address.url,
      ...(Object.keys(address.query).length > 0 && { query: address.query }),
      ...(Object.keys(headers).length > 0 && { headers }),
      ...this.#toBody(),
    }
    if (ignored.length > 0) this.#notes.push(`Left out: ${[...new Set(ignored)].join(', ')}.`)
    const document = this.#toDocument(spec, address.path)
    return { document, secrets: [...this.#secrets], notes: this.#notes }
  }

  #toDocument(spec: HttpSpec, path: string): ToolDocument<HttpSpec> {
    const { method } = spec
    const inputSchema: JsonSchema = {
      type: 'object',
      properties: this.#properties,
      required: Object.keys(this.#properties),
      additionalProperties: false,
    }
    return {
      name: `${this.#pack}.${toVerb(method, path)}`,
      description: `${method} ${path} of ${this.#pack}. Describe its purpose and when to use it.`,
      inputSchema,
      examples: [{ label: 'From the command', input: this.#example }],
      spec,
    }
  }

  #toMethod(method: string): HttpMethod {
    const known = httpMethods.find((one) => one === method)
    if (known !== undefined) return known
    this.#notes.push(`The method ${method.slice(0, 20)} is not supported: POST is used.`)
    return 'POST'
  }

  #toAddress(given: string) {
    const [, scheme = 'https://', authority = '', rest = ''] =
      /^([a-z][a-z0-9+.-]*:\/\/)([^/?#]*)([^#]*)/i.exec(given) ?? []
    const host = authority.slice(authority.lastIndexOf('@') + 1)
    if (host.length < authority.length)
      this.#request.user ??= decode(authority.slice(0, -host.length - 1))
    this.#pack = toPack(URL.parse(`${scheme}${host}`)?.hostname ?? host)
    const [path = '', search = ''] = rest.split(/\?([\s\S]*)/)
    const query = this.#toQuery(search)
    return {
      url: `${scheme}${host}${this.#toPath(path)}`,
      path: path === '' ? '/' : plain(path),
      query,
    }
  }

  /** Parts that look like ids become inputs, named for the part before. */
  #toPath(path: string): string {
    const parts = path.split('/')
    const filled = parts.map((part, index) => {
      const variable = wholeVariable(part)
      if (variable !== undefined) return this.#fill(variable)
      const noun = parts[index - 1]?.replace(/ies$/, 'y').replace(/s$/, '') ?? ''
      if (!isId(part)) return this.#template(part)
      return this.#input(noun === '' || isId(noun) ? 'id' : `${noun}_id`, decode(part))
    })
    return filled.join('/')
  }

  #toQuery(search: string): Record<string, JsonValue> {
    const query: Record<string, JsonValue> = {}
    for (const [name, value] of new URLSearchParams(search)) {
      query[name] = isSecret(name, value) ? this.#secret(name, value) : this.#input(name, value)
    }
    return query
  }

  #toHeaders(): Record<string, string> {
    const headers: Record<string, string> = {}
    const { user, body } = this.#request
    for (const [name, value] of this.#request.headers) {
      const isImplied = name === 'content-type' && isUsual(value, body)
      if (isNoise(name, value) || isImplied || value === '') continue
      const isCredential = isSecret(name, value) || isSecret('', splitScheme(value).credential)
      headers[name] = isCredential ? this.#credential(name, value) : this.#template(value)
    }
    if (user !== undefined && user !== '' && headers['authorization'] === undefined) {
      headers['authorization'] = `Basic ${this.#secret('basic_auth', '')}`
      this.#notes.push('Store user:password in Base64 as the secret for Basic authorization.')
    }
    return headers
  }

  #credential(name: string, value: string): string {
    const { scheme, credential } = splitScheme(value)
    const label = name === 'authorization' ? 'token' : name
    return `${scheme}${this.#secret(label, credential)}`
  }

  #secret(name: string, value: string): string {
    const key = toKey(wholeVariable(value) ?? `${this.#pack}_${name.replace(/^x-/, '')}`)
    this.#secrets.add(key)
    return `secret:${key}`
  }

  #toBody(): Pick<HttpSpec, 'body' | 'bodyType'> {
    const { body, headers } = this.#request
    if (body === undefined) return {}
    if (body.kind === 'form') {
      const fields = body.fields.map(({ name, value, isFile }) => {
        if (isFile) this.#notes.push(`The file of ${name} is left out: its text can be passed.`)
        return [name, this.#input(name, isFile ? '' : value)]
      })
      return { body: Object.fromEntries(fields) as JsonValue, bodyType: 'multipart' }
    }
    const type = headers.find(([name]) => name === 'content-type')?.[1] ?? ''
    const json = parseJson(body.text)
    if (json !== undefined && !type.includes('form')) return { body: this.#toJson(json) }
    if (!type.includes('json') && /^[^=&\s]+=/.test(body.text)) {
      const fields = [...new URLSearchParams(body.text)]
      return {
        body: Object.fromEntries(fields.map(([name, value]) => [name, this.#input(name, value)])),
        bodyType: 'form',
      }
    }
    if (body.text.startsWith('@'))
      this.#notes.push('The file of the body is left out: its text can be passed.')
    const text = body.text.startsWith('@') ? this.#input('body', '') : this.#template(body.text)
    return { body: text, bodyType: 'text' }
  }

  /** Single values become inputs, wherever they are. Lists stay as they are. */
  #toJson(value: JsonValue, name = 'body'): JsonValue {
    if (isRecord(value)) {
      const entries = Object.entries(value as Record<string, JsonValue>)
      return Object.fromEntries(entries.map(([key, member]) => [key, this.#toJson(member, key)]))
    }
    if (Array.isArray(value)) return value.map((item) => this.#keep(item))
    return this.#input(name, value)
  }

  #keep(value: JsonValue): JsonValue {
    if (typeof value === 'string') return this.#template(value)
    if (Array.isArray(value)) return value.map((item) => this.#keep(item))
    if (!isRecord(value)) return value
    const entries = Object.entries(value as Record<string, JsonValue>)
    return Object.fromEntries(entries.map(([key, member]) => [key, this.#keep(member)]))
  }

  #input(name: string, value: JsonValue): JsonValue & string {
    const variable = typeof value === 'string' ? wholeVariable(value) : undefined
    if (variable !== undefined) return this.#fill(variable)
    if (typeof value === 'string' && value.includes('\uE000')) return this.#template(value)
    if (Object.keys(this.#properties).length >= maxInputs) return this.#template(toText(value))
    const isHidden = typeof value === 'string' && isSecret(name, value)
    const key = this.#add(name, typeOf(value), isHidden ? 'x' : value)
    if (isHidden) {
      this.#notes.push(`${key} looks like a secret, which a body can't hold: it became an input.`)
      this.#properties[key] = { type: 'string', format: 'password' }
    }
    return `{{input.${key}}}`
  }

  #add(name: string, type: string, example: JsonValue): string {
    const key = this.#keyFor(name)
    this.#properties[key] = type === 'null' ? {} : { type }
    this.#example[key] = example
    return key
  }

  #fill(variable: string): string {
    const known = this.#variables.get(variable) ?? this.#add(variable, 'string', variable)
    this.#variables.set(variable, known)
    return `{{input.${known}}}`
  }

  #template(text: string): string {
    return toTemplate(text, (variable) => this.#fill(variable))
  }
}

/** Numbers, UUIDs, long hex, and ids with a prefix such as `cus_9s6XKzkNRiz8i3`. */
function isId(part: string): boolean {
  if (/^\d+$/.test(part) || /^[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/i.test(part)) return true
  return (
    /^[0-9a-f]{16,}$/i.test(part) || /^[a-z]{1,8}_(?=[A-Za-z0-9]*\d)[A-Za-z0-9]{6,}$/.test(part)
  )
}

function isUsual(value: string, body: CurlRequest['body']): boolean {
  if (body === undefined) return true
  if (body.kind === 'form') return value.startsWith('multipart/')
  return /^application\/(?:json|x-www-form-urlencoded)\s*(?:;|$)/.test(value)
}

function toText(value: JsonValue): string {
  return typeof value === 'string' ? value : JSON.stringify(value)
}

function typeOf(value: JsonValue): string {
  if (value === null) return 'null'
  if (typeof value === 'number') return Number.isInteger(value) ? 'integer' : 'number'
  return typeof value
}

function plain(path: string): string {
  return path.replaceAll(/[\uE000\uE001]/g, '')
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

function parseJson(text: string): JsonValue | undefined {
  try {
    const value = JSON.parse(text) as JsonValue
    return typeof value === 'object' && value !== null ? value : undefined
  } catch {
    return undefined
  }
}
