import { formatBytes } from '../../../ui/format/format-bytes.ts'
import type { SchemaObject } from '../../model/schema.ts'

/**
 * The largest file put into the input itself: the server accepts a megabyte, and base64 makes four bytes of
 * three.
 */
export const maxFileBytes = 700 * 1024

/** A file as text: a data URL where the schema asks for one, plain base64 otherwise. */
export async function readFile(file: File, schema: SchemaObject): Promise<string> {
  const bytes = new Uint8Array(await file.arrayBuffer())
  const base64 = toBase64(bytes)
  const isUrl = ['file', 'data-url', 'data-uri'].some((format) => schema['format'] === format)
  const type = file.type === '' ? 'application/octet-stream' : file.type
  return isUrl ? `data:${type};base64,${base64}` : base64
}

function toBase64(bytes: Uint8Array): string {
  let text = ''
  // In pieces: a call takes only so many arguments.
  for (let at = 0; at < bytes.length; at += 0x8000) {
    text += String.fromCharCode(...bytes.subarray(at, at + 0x8000))
  }
  return btoa(text)
}

/** `image/png, 12 KB` of a file that is inside of an input. */
export function describeFile(text: string): string {
  const [, type] = /^data:([^;,]*)/.exec(text) ?? []
  const body = type === undefined ? text : text.slice(text.indexOf(',') + 1)
  const padding = body.endsWith('==') ? 2 : Number(body.endsWith('='))
  const size = formatBytes(Math.floor(body.length * 0.75) - padding)
  return type === undefined ? `File, ${size}` : `${type || 'File'}, ${size}`
}
