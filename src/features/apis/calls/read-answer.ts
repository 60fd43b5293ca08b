import type { CallArtifacts } from '../../../core/kernel/context/call-artifacts.ts'
import type { WebPage } from '../../../core/kernel/context/web.ts'
import { ToolError } from '../../../core/kernel/errors.ts'
import { isRecord } from '../../../core/kernel/json/json-type.ts'
import { artifactTypeOf } from '../../../core/net/artifact-type.ts'
import { fileNameOf } from '../../../core/net/file-name.ts'
import { mediaKindOf } from '../../../core/net/media-kind.ts'
import { toUpstreamError } from '../../../core/net/upstream-error.ts'

interface AnswerParts {
  /** Its host, for messages. */
  host: string
  /** Credentials were sent. */
  isSigned: boolean
  artifacts: Pick<CallArtifacts, 'save'>
}

/** The output of a call: JSON as a value, other text as text, a file as an artifact. */
export async function readAnswer(answer: WebPage, parts: AnswerParts): Promise<unknown> {
  if (answer.status < 200 || answer.status > 299) throw toFailure(answer, parts)
  const { bytes, headers, mediaType } = answer
  if (bytes.length === 0) return null
  const kind = mediaKindOf(mediaType, bytes)
  if (kind === 'binary') {
    const name = fileNameOf(answer.url, headers.get('content-disposition'))
    const file = { name, mediaType: artifactTypeOf(mediaType), bytes }
    return { artifact: { ...(await parts.artifacts.save(file)) } }
  }
  const text = answer.text().replaceAll('\0', '')
  const mayBeJson = kind === 'json' || mediaType === ''
  return mayBeJson ? parseJson(text) : text
}

/** Some servers call a plain text JSON. */
function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}

/** Of the text of an answer that failed. */
const lookedAt = 20_000

function toFailure(answer: WebPage, { host, isSigned }: AnswerParts): ToolError {
  const { status, headers } = answer
  const excerpt = describe(answer.text().slice(0, lookedAt))
  const credentialFix = isSigned ? wrongSecret : noSecret
  const error = toUpstreamError({ from: host, status, headers, excerpt, credentialFix })
  if (status < 300 || status === 429 || status >= 500) return error
  // The request itself was wrong: another attempt changes nothing.
  const { message, details } = error
  const isRefused = status === 401 || status === 403
  return new ToolError('tool_failed', message, {
    details,
    ...(isRefused && { fix: credentialFix }),
  })
}

const noSecret =
  'The API has no credential: name a secret for one of its schemes or headers in its settings.'
const wrongSecret = 'Check the secrets of the API, and what they are allowed to do.'

/** The words of a problem document (RFC 9457) or of the usual shapes of errors. */
function describe(text: string): string {
  const value = parseJson(text)
  if (!isRecord(value)) return /<html|<!doctype/i.test(text) ? '' : text
  const { title, detail, message, error, errors, error_description: description } = value
  const inner: unknown = isRecord(error) ? (error['message'] ?? error['code']) : error
  const said = [title, detail, message, inner, description].filter(
    (one): one is string => typeof one === 'string' && one !== '',
  )
  const words = [...new Set(said)].join(': ') || text
  return errors === undefined || said.length === 0 ? words : `${words} ${JSON.stringify(errors)}`
}
