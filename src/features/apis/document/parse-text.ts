import { ToolError } from '../../../core/kernel/errors.ts'
import { isRecord } from '../../../core/kernel/json/json-type.ts'
import type { JsonObject } from '../model.ts'

/** The largest document that is read. */
export const maxDocumentBytes = 20_971_520
/** No API needs deeper values, and code that walks through them would exhaust the stack. */
const maxDepth = 200
/** An alias that is used more often makes a small text a huge value. */
const maxAliases = 1000

/** The JSON or YAML text of a document. Throws invalid_request for anything else. */
export async function parseText(text: string): Promise<JsonObject> {
  const trimmed = text.replace(/^\uFEFF/, '').trimStart()
  const value = /^[[{"]/.test(trimmed) ? parseJson(trimmed) : await parseYaml(trimmed)
  if (!isRecord(value)) throw unreadable('it is not an object')
  if (isDeep(value)) throw unreadable(`it is nested deeper than ${maxDepth} levels`)
  return value as JsonObject
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch (error) {
    throw unreadable(`it is not valid JSON: ${messageOf(error)}`)
  }
}

/** Loaded only for documents in YAML. */
async function parseYaml(text: string): Promise<unknown> {
  if (/^<(?:!doctype|html)/i.test(text)) {
    throw unreadable('it is a web page; give the address of the document itself')
  }
  const { parseDocument } = await import('yaml')
  try {
    const document = parseDocument(text, { merge: true, uniqueKeys: false, logLevel: 'silent' })
    const [error] = document.errors
    if (error !== undefined) throw error
    return document.toJS({ maxAliasCount: maxAliases })
  } catch (error) {
    throw unreadable(`it is not valid YAML: ${messageOf(error)}`)
  }
}

/** Without recursion: this is what protects everything that recurses. */
function isDeep(root: object): boolean {
  const waiting: [value: object, depth: number][] = [[root, 1]]
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    const [value, depth] = next
    if (depth > maxDepth) return true
    for (const inner of Object.values(value)) {
      if (typeof inner === 'object' && inner !== null) waiting.push([inner as object, depth + 1])
    }
  }
  return false
}

/** The error for a text that is not a document. */
export function unreadable(why: string): ToolError {
  return new ToolError('invalid_request', `The document can not be read: ${why}`, {
    fix: 'Give an OpenAPI 3.0 or 3.1 or Swagger 2.0 document in JSON or YAML.',
  })
}

function messageOf(error: unknown): string {
  const message = error instanceof Error ? error.message : String(error)
  return message.split('\n')[0]?.slice(0, 300) ?? ''
}
