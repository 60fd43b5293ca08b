import type { CallArtifacts } from '../../../../core/kernel/context/call-artifacts.ts'
import type { WebPage } from '../../../../core/kernel/context/web.ts'
import { ToolError } from '../../../../core/kernel/errors.ts'
import type { JsonValue } from '../../../../core/kernel/json.ts'
import { isRecord } from '../../../../core/kernel/json/json-type.ts'
import { artifactTypeOf } from '../../../../core/net/artifact-type.ts'
import { decodePage } from '../../../../core/net/decode-page.ts'
import { fileNameOf } from '../../../../core/net/file-name.ts'
import { mediaKindOf } from '../../../../core/net/media-kind.ts'
import { toUpstreamError } from '../../../../core/net/upstream-error.ts'
import { parsePath } from '../../../../core/shapes/reference.ts'
import { followReference, resolveReferences } from '../../../../core/shapes/resolve-references.ts'
import type { HttpSpec } from './http-spec.ts'

export interface AnswerParts {
  spec: HttpSpec
  host: string
  input: unknown
  artifacts: CallArtifacts
  /** The tool has secrets, so a refusal may be due to one of them. */
  hasSecrets: boolean
}

/** The output of a tool from an answer. Throws for any status that is not a success. */
export async function readAnswer(answer: WebPage, parts: AnswerParts): Promise<JsonValue> {
  const { spec, host } = parts
  if (!isSuccess(answer.status, spec.ok)) throw toFailure(answer, parts)
  const body = await readBody(answer, parts)
  const headers = Object.fromEntries(
    [...answer.headers].filter(([name]) => !name.startsWith('set-cookie')),
  )
  const roots = { body, status: answer.status, headers, input: parts.input }
  if (spec.pick === undefined) {
    return spec.method === 'HEAD' ? { status: answer.status, headers } : body
  }
  const path = typeof spec.pick === 'string' ? parsePath(spec.pick) : undefined
  const picked = path ? followReference(path, roots) : resolveReferences(spec.pick, roots)
  if (picked !== undefined) return picked
  throw new ToolError('upstream_failed', `The answer of ${host} has no ${toShort(spec.pick)}`, {
    retryable: false,
    fix: 'Change what the tool picks from the answer.',
  })
}

function toShort(pick: JsonValue): string {
  return (typeof pick === 'string' ? pick : JSON.stringify(pick)).slice(0, 200)
}

/** True for a status that the author expects. */
export function isSuccess(status: number, ok: HttpSpec['ok'] = ['2xx']): boolean {
  return ok.some((one) => one === status || one === `${Math.floor(status / 100)}xx`)
}

/** JSON as a value, other text as text, and anything else as an artifact. */
async function readBody(answer: WebPage, { artifacts }: AnswerParts): Promise<JsonValue> {
  const { bytes, headers, mediaType } = answer
  if (bytes.length === 0) return null
  const kind = mediaKindOf(mediaType, bytes)
  if (kind === 'binary') {
    const name = fileNameOf(answer.url, headers.get('content-disposition'))
    const saved = await artifacts.save({ name, mediaType: artifactTypeOf(mediaType), bytes })
    return { artifact: { ...saved } }
  }
  const text = answer.text().replaceAll('\0', '')
  const isJson = kind === 'json' || mediaType === ''
  return (isJson ? parseJson(text) : undefined) ?? text
}

function parseJson(text: string): JsonValue | undefined {
  try {
    return JSON.parse(text) as JsonValue
  } catch {
    return undefined
  }
}

const maxExcerpt = 500

function toFailure(answer: WebPage, parts: AnswerParts): ToolError {
  const { status, headers } = answer
  const { host, hasSecrets } = parts
  const excerpt = describe(answer)
  const credentialFix = hasSecrets
    ? 'Check the secrets of this tool, and what they are allowed to do.'
    : 'The API needs a credential: name a secret in a header of this tool.'
  const error = toUpstreamError({ from: host, status, headers, excerpt, credentialFix })
  if (status < 300 || status === 429 || status >= 500) return error
  // The request itself was wrong: another attempt changes nothing.
  const { message, details, fix } = error
  return new ToolError('tool_failed', message, { details, ...(fix !== undefined && { fix }) })
}

/** The words of a problem document (RFC 9457) or of the usual shapes of errors. */
function describe({ bytes, headers }: WebPage): string {
  const text = decodePage(bytes.subarray(0, 20_000), headers.get('content-type') ?? '')
  const value = parseJson(text)
  if (!isRecord(value)) return /<html|<!doctype/i.test(text) ? '' : text.slice(0, maxExcerpt)
  const { title, detail, message, error, error_description: description } = value
  const inner: unknown = isRecord(error) ? (error['message'] ?? error['code']) : error
  const said = [title, detail, message, inner, description].filter(
    (one): one is string => typeof one === 'string' && one !== '',
  )
  return said.length > 0 ? [...new Set(said)].join(': ') : text.slice(0, maxExcerpt)
}
