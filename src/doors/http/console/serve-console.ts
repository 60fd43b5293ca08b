import { findPerson } from '../pages/sign-in-pages.ts'
import type { HttpRequest } from '../request/http-request.ts'
import { toNextPath, withNext } from '../pages/next-path.ts'
import { empty } from '../reply.ts'
import type { Reply } from '../reply.ts'
import type { DoorRequest } from '../route.ts'
import type { ConsoleFiles } from './console-files.ts'
import { ownValue } from '../../../core/kernel/json/json-type.ts'

/** The console as part of the site. */
export interface ConsolePages {
  /** Whether this request, which no route wants, is for a file or a screen of the console. */
  isFor(request: HttpRequest): boolean
  visit(visit: DoorRequest): Promise<Reply>
  page(visit: DoorRequest): Promise<Reply>
  /** Where a font of the console is, for the pages beside it. */
  font(visit: DoorRequest): Reply
}

/** Addresses for programs: a wrong one should get an error, not a page. */
const notScreens = /^\/(?:api|mcp|assets|\.well-known|metrics|healthz|readyz|openapi\.json)(?:\/|$)/

const fonts: Readonly<Record<string, RegExp>> = {
  inter: /\/inter-latin-wght-normal-[^/]*\.woff2$/,
  'geist-mono': /\/geist-mono-latin-wght-normal-[^/]*\.woff2$/,
}

/** Serves the console: its files to everybody, its page to people who are signed in. */
export function serveConsole(files: ConsoleFiles): ConsolePages {
  async function page({ door, request }: DoorRequest): Promise<Reply> {
    if (await isSignedOut({ door, request })) return empty(303, ['location', signInFor(request)])
    return files.page(request)
  }
  return {
    isFor: (request) => isGet(request) && (files.file(request) !== undefined || isScreen(request)),
    visit: async (visit) => files.file(visit.request) ?? page(visit),
    page,
    font({ request }) {
      const address = files.find(ownValue(fonts, request.param('name') ?? '') ?? /^$/)
      return address === undefined ? empty(404) : empty(302, ['location', address])
    },
  }
}

/** While the store is away nobody can be recognised; the app is served all the same, and waits for it. */
async function isSignedOut({
  door,
  request,
}: Pick<DoorRequest, 'door' | 'request'>): Promise<boolean> {
  try {
    return 'page' in (await findPerson(door, request))
  } catch {
    return false
  }
}

function signInFor({ url }: HttpRequest): string {
  const { pathname, search } = new URL(url)
  return withNext('/sign-in', toNextPath(pathname + search))
}

function isGet({ method }: HttpRequest): boolean {
  return method === 'GET' || method === 'HEAD'
}

/** Names of tools have dots, so an address is a screen by what the browser asks for, not by how it ends. */
function isScreen(request: HttpRequest): boolean {
  return !notScreens.test(request.path) && (request.header('accept') ?? '').includes('text/html')
}
