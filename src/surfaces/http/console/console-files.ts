import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import path from 'node:path'
import type { HttpRequest } from '../request/http-request.ts'
import { empty } from '../reply.ts'
import type { Reply } from '../reply.ts'

/** The built web app, ready to be served. */
export interface ConsoleFiles {
  /** The one page of the app; the app itself reads the address. */
  page(request: HttpRequest): Reply | Promise<Reply>
  /** One of its files, where there is one of this path. */
  file(request: HttpRequest): Reply | undefined
  /** The address of its one file that is called so. */
  find(name: RegExp): string | undefined
}

/**
 * Scripts and styles are our own files; nothing is loaded from elsewhere, whatever a tool's output or a
 * model's text says. Mantine writes style attributes, which is all that `unsafe-inline` allows here.
 */
export const consolePolicy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data: blob:",
  'media-src data: blob:',
  "font-src 'self'",
  "connect-src 'self'",
  "worker-src 'self'",
  "form-action 'self'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
].join('; ')

const types: Record<string, string> = {
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.html': 'text/html; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.woff2': 'font/woff2',
  '.png': 'image/png',
  '.json': 'application/json',
}

/** Names under /assets hold a hash of what is in them: they never change. */
const forGood = 'public, max-age=31536000, immutable'
const askAgain = 'no-cache'

/** Reads a build of the console; undefined where there is none. A file is read when it is first asked for. */
export function openConsoleFiles(folder: string): ConsoleFiles | undefined {
  if (!existsSync(path.join(folder, 'index.html'))) return undefined
  const names = new Set(
    readdirSync(folder, { recursive: true, encoding: 'utf8' })
      .filter((name) => statSync(path.join(folder, name)).isFile())
      .map((name) => `/${name.split(path.sep).join('/')}`),
  )
  const kept = new Map<string, KeptFile>()
  const read = (name: string) => {
    const found = kept.get(name) ?? readKept(folder, name)
    kept.set(name, found)
    return found
  }
  const reply = (name: string, request: HttpRequest): Reply => {
    const encoding = pickEncoding(request.header('accept-encoding'), name, names)
    const { bytes, tag } = read(encoding === undefined ? name : `${name}.${encoding.suffix}`)
    const headers = ['vary', 'accept-encoding']
    if (encoding !== undefined) headers.push('content-encoding', encoding.name)
    const type = types[path.extname(name)] ?? 'application/octet-stream'
    // Dozens of small files: what no browser reads of their headers would be a tenth of the first load.
    if (name.startsWith('/assets/')) {
      return { status: 200, type, body: bytes, headers, cacheControl: forGood }
    }
    headers.push('etag', tag)
    // Also with "not modified": a browser takes the policy of the newest answer for what it has kept.
    const always = { cacheControl: askAgain, contentSecurityPolicy: consolePolicy }
    if (request.header('if-none-match') === tag) return { ...empty(304, headers), ...always }
    return { status: 200, type, body: bytes, headers, ...always }
  }
  return {
    find: (name) => [...names].find((address) => name.test(address)),
    page: (request) => reply('/index.html', request),
    file: (request) => (names.has(request.path) ? reply(request.path, request) : undefined),
  }
}

interface KeptFile {
  bytes: Uint8Array<ArrayBuffer>
  tag: string
}

function readKept(folder: string, name: string): KeptFile {
  const bytes = new Uint8Array(readFileSync(path.join(folder, name)))
  const tag = `"${createHash('sha256').update(bytes).digest('base64url').slice(0, 16)}"`
  return { bytes, tag }
}

const encodings = [
  { name: 'br', suffix: 'br' },
  { name: 'gzip', suffix: 'gz' },
] as const

function pickEncoding(accepted = '', name: string, names: ReadonlySet<string>) {
  const wanted = accepted.split(',').map((part) => part.split(';')[0]?.trim())
  return encodings.find(
    (encoding) => wanted.includes(encoding.name) && names.has(`${name}.${encoding.suffix}`),
  )
}
