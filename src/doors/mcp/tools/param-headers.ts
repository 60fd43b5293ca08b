import type { OfferedTool } from '../../../core/offer/tool-offer.ts'
import { isRecord } from '../../../core/kernel/json/json-type.ts'
import { rpcError } from '../rpc-error.ts'

/** An argument that clients repeat in a header, so that proxies need not read the body. */
interface MirroredParam {
  path: readonly string[]
  header: string
  isNumber: boolean
}

const headerMismatch = -32020
const encoded = /^=\?base64\?(.*)\?=$/s
const base64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/

/** The refusal of a call whose headers say something else than its body; undefined where they agree. */
export function checkParamHeaders(
  tool: OfferedTool,
  headers: Headers,
  body: unknown,
): Response | undefined {
  const params = isRecord(body) && isRecord(body['params']) ? body['params'] : {}
  for (const mirrored of mirroredOf(tool)) {
    const value = valueAt(params['arguments'], mirrored.path)
    if (!isScalar(value)) continue
    const given = headers.get(mirrored.header)
    const decoded = given === null ? undefined : decode(given)
    const isSame = mirrored.isNumber ? Number(decoded) === value : decoded === String(value)
    if (decoded !== undefined && isSame) continue
    const argument = `the argument ${mirrored.path.join('.')}`
    const message =
      given === null
        ? `The header ${mirrored.header} is missing: it repeats ${argument}`
        : `The header ${mirrored.header} differs from ${argument}`
    return rpcError({ status: 400, code: headerMismatch, message }, body)
  }
  return undefined
}

const known = new WeakMap<object, readonly MirroredParam[]>()

function mirroredOf({ inputSchema }: OfferedTool): readonly MirroredParam[] {
  const before = known.get(inputSchema)
  if (before !== undefined) return before
  const found = [...findMirrored(inputSchema, [])]
  known.set(inputSchema, found)
  return found
}

/** Only properties of objects of properties can be mirrored. */
function* findMirrored(schema: unknown, path: readonly string[]): Generator<MirroredParam> {
  if (!isRecord(schema)) return
  const name = schema['x-mcp-header']
  if (typeof name === 'string' && path.length > 0) {
    const isNumber = schema['type'] === 'integer' || schema['type'] === 'number'
    yield { path, header: `Mcp-Param-${name}`, isNumber }
  }
  const properties = isRecord(schema['properties']) ? schema['properties'] : {}
  for (const [key, child] of Object.entries(properties)) yield* findMirrored(child, [...path, key])
}

function valueAt(value: unknown, path: readonly string[]): unknown {
  let at: unknown = value
  for (const key of path) at = isRecord(at) && Object.hasOwn(at, key) ? at[key] : undefined
  return at
}

function isScalar(value: unknown): value is string | number | boolean {
  return ['string', 'number', 'boolean'].includes(typeof value)
}

/** Texts that a header can't hold come as base64. */
function decode(value: string): string | undefined {
  const text = encoded.exec(value)?.[1]
  if (text === undefined) return value
  return base64.test(text) ? Buffer.from(text, 'base64').toString('utf8') : undefined
}
