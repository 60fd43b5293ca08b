import { ToolError } from '../core/kernel/errors.ts'
import type { CribApi } from '../features/crib-api.ts'
import type { HttpApp } from '../doors/http/create-http-app.ts'
import type { Config } from './config/config-schema.ts'
import type { CribHttpOptions } from './crib.ts'
import { toMcpLimits } from './config/mcp-door-schema.ts'
import { describeError } from './log/stray-errors.ts'
import { version } from './version.ts'

/** The dependencies of serving a crib inside another program. */
interface FetchParts {
  api: CribApi
  config: Config
  /** `/crib`, or empty for the root of the host. */
  basePath: string
  hasConsole: boolean | undefined
}

/** The HTTP door of a crib as one function, and a function to shut it down. */
export interface CribFetch {
  fetch(request: Request): Promise<Response>
  drain(): void
}

/** Created with the first request: a program that serves nothing loads nothing for it. */
export function createCribFetch({ basePath, ...parts }: FetchParts): CribFetch {
  let opening: Promise<HttpApp> | undefined
  let isDrained = false
  return {
    async fetch(request) {
      const inner = withoutBase(request, basePath)
      if (inner === undefined) return notHere(basePath)
      opening ??= openApp(parts)
      const app = await opening
      if (isDrained) app.drain()
      return withBase(await app.fetch(inner), basePath)
    },
    drain() {
      isDrained = true
      void opening?.then((app) => app.drain())
    },
  }
}

async function openApp(parts: Omit<FetchParts, 'basePath'>): Promise<HttpApp> {
  const { api, config, hasConsole = false } = parts
  const { createHttpApp } = await import('../doors/http/create-http-app.ts')
  const { server, limits, uploads } = config
  const files = hasConsole ? await openConsole() : undefined
  return createHttpApp({
    api,
    version,
    ...(files !== undefined && { console: files }),
    publicUrl: server.publicUrl,
    origins: server.origins,
    trustedProxies: Number(server.trustProxy),
    limits: {
      maxBodyBytes: server.bodyBytes,
      maxCompletionBytes: limits.completionBytes,
      maxUploadBytes: uploads.maxBytes,
      failedAuthPerMinute: server.failedAuthPerMinute,
    },
    mcpLimits: toMcpLimits(config.mcp),
    onFault: ({ error, requestId }) =>
      process.stderr.write(`toolcrib: ${requestId}: ${describeError(error)}\n`),
  })
}

async function openConsole() {
  const { openConsoleFiles } = await import('../doors/http/console/console-files.ts')
  const { consoleFolder } = await import('./console-folder.ts')
  return openConsoleFiles(consoleFolder)
}

/** The given path, validated, without a trailing slash. */
export function toBasePath({
  basePath = '',
  console: hasConsole = false,
}: CribHttpOptions = {}): string {
  const plain = basePath.replace(/\/+$/, '')
  if (plain !== '' && !/^(?:\/[\w.~-]+)+$/.test(plain)) {
    throw new ToolError(
      'invalid_config',
      `http.basePath ${JSON.stringify(basePath)} is not a path`,
      {
        fix: 'Give it as /crib: a slash, then letters, digits, -, _, . and ~.',
      },
    )
  }
  if (plain === '' || !hasConsole) return plain
  throw new ToolError('invalid_config', 'The console needs the root of a host', {
    fix: 'Omit http.basePath or http.console.',
  })
}

function withoutBase(request: Request, basePath: string): Request | undefined {
  if (basePath === '') return request
  const url = new URL(request.url)
  if (!`${url.pathname}/`.startsWith(`${basePath}/`)) return undefined
  url.pathname = url.pathname.slice(basePath.length) || '/'
  return new Request(url, request)
}

/** Adds the base path to redirects, since the app itself does not know it. */
function withBase(response: Response, basePath: string): Response {
  const location = response.headers.get('location')
  if (basePath === '' || location === null || !location.startsWith('/')) return response
  const headers = new Headers(response.headers)
  headers.set('location', basePath + location)
  return new Response(response.body, { status: response.status, headers })
}

function notHere(basePath: string): Response {
  const problem = {
    type: 'about:blank',
    title: 'Not found',
    status: 404,
    code: 'not_found',
    detail: `This crib is served under ${basePath}`,
  }
  return Response.json(problem, {
    status: 404,
    headers: { 'content-type': 'application/problem+json' },
  })
}
