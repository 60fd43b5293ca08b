import { isUtf8 } from 'node:buffer'
import type { JsonValue } from '../../core/kernel/json.ts'
import { isRecord } from '../../core/kernel/json/json-type.ts'

/**
 * Decodes a file whose type and bytes are text. Many servers send all files as base64, of which a
 * model gets only the name, and in which neither limits nor secrets are found.
 */
export function readTextFile(block: JsonValue): JsonValue {
  if (!isRecord(block) || block['type'] !== 'resource' || !isRecord(block['resource'])) return block
  const { blob, ...rest } = block['resource']
  if (typeof blob !== 'string' || !isTextType(rest['mimeType'])) return block
  const bytes = Buffer.from(blob, 'base64')
  // Anything that is not exactly this base64 stays as it is, because its meaning is unclear.
  if (!isUtf8(bytes) || bytes.includes(0) || !isSame(blob, bytes)) return block
  return { ...block, resource: { ...rest, text: bytes.toString('utf8') } }
}

const named =
  /^(?:text\/[\w.+-]+|application\/(?:[\w.-]+\+)?(?:json|xml|yaml|x-yaml|toml|javascript|sql|x-sh|x-ndjson))$/

/** Other characters than UTF-8's are not read. */
function isTextType(mimeType: unknown): boolean {
  if (typeof mimeType !== 'string') return false
  const [type = '', ...parameters] = mimeType.toLowerCase().split(';')
  const charset = parameters.find((one) => one.trim().startsWith('charset='))
  return (
    named.test(type.trim()) &&
    /^\s*charset="?(?:utf-?8|us-ascii)"?\s*$/.test(charset ?? 'charset=utf-8')
  )
}

function isSame(blob: string, bytes: Buffer): boolean {
  return bytes.toString('base64').replace(/=+$/, '') === blob.replace(/=+$/, '')
}
