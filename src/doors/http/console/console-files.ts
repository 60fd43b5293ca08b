import path from 'node:path'
import type { HttpRequest } from '../request/http-request.ts'
import { empty } from '../reply.ts'
import type { Reply } from '../reply.ts'
import { isForGood, markOf, openBuild } from './console-build.ts'
import type { ConsoleBuild } from './console-build.ts'

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
 * Scripts and styles are our own files; nothing is loaded from elsewhere, whatever the output of a
 * tool or the text of a model contains. Mantine writes style attributes, which is all that
 * `unsafe-inline` allows here.
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

const forGood = 'public, max-age=31536000, immutable'
const retryStore = 'no-cache'

/**
 * Serves a build of the console; undefined where there is none. A build that is put in its place
 * while the server runs is noticed with the next page, or with the first file that is not known.
 */
export function openConsoleFiles(folder: string): ConsoleFiles | undefined {
  const mark = markOf(folder)
  if (mark === undefined) return undefined
  let build = openBuild(folder, mark)
  const newest = (): ConsoleBuild => {
    const now = markOf(folder)
    if (now !== undefined && now !== build.mark) build = openBuild(folder, now, build)
    return build
  }
  return {
    find: (name) => [...newest().names].find((address) => name.test(address)),
    page: (request) => replyWith(newest(), '/index.html', request) ?? empty(503),
    file(request) {
      const name = request.path
      const known = isForGood(name) ? replyWith(build, name, request) : undefined
      return known ?? replyWith(newest(), name, request)
    },
  }
}

function replyWith(build: ConsoleBuild, name: string, request: HttpRequest): Reply | undefined {
  for (const { encoding, suffix } of waysFor(request.header('accept-encoding'))) {
    const found = build.read(name + suffix)
    if (found === undefined) continue
    const headers = ['vary', 'accept-encoding']
    if (encoding !== undefined) headers.push('content-encoding', encoding)
    return toReply({ name, headers, ...found }, request)
  }
  return undefined
}

interface FoundFile {
  name: string
  headers: string[]
  bytes: Uint8Array<ArrayBuffer>
  tag: string
}

function toReply({ name, headers, bytes, tag }: FoundFile, request: HttpRequest): Reply {
  const type = types[path.extname(name)] ?? 'application/octet-stream'
  // Dozens of small files: what no browser reads of their headers would be a tenth of the first load.
  if (isForGood(name)) return { status: 200, type, body: bytes, headers, cacheControl: forGood }
  headers.push('etag', tag)
  // Also with "not modified": a browser takes the policy of the newest answer for what it has kept.
  const always = { cacheControl: retryStore, contentSecurityPolicy: consolePolicy }
  if (request.header('if-none-match') === tag) return { ...empty(304, headers), ...always }
  return { status: 200, type, body: bytes, headers, ...always }
}

interface Way {
  encoding?: string
  suffix: string
}

const encodings: readonly Way[] = [
  { encoding: 'br', suffix: '.br' },
  { encoding: 'gzip', suffix: '.gz' },
]

/** How a file may be sent to this client, the smallest first. */
function waysFor(accepted = ''): Way[] {
  const wanted = accepted.split(',').map((part) => part.split(';')[0]?.trim())
  return [...encodings.filter(({ encoding }) => wanted.includes(encoding)), { suffix: '' }]
}
