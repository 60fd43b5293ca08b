import { markSvg } from '../../../core/kernel/mark.ts'
import type { HttpRequest } from '../request/http-request.ts'
import { empty } from '../reply.ts'
import type { Reply } from '../reply.ts'
import type { Door, DoorRequest } from '../route.ts'
import { readCookie } from '../request/cookies.ts'
import { docsPage } from './docs-page.ts'
import { noConsolePage } from './no-console-page.ts'
import { notFoundPage } from './not-found-page.ts'
import type { OpenApiDocument } from './openapi-view.ts'
import { findPerson, signInPages } from './sign-in-pages.ts'
import { mcpSignInPages } from './mcp-sign-in-pages.ts'
import type { PageHandler, SitePage } from './site-page.ts'
import { chosenStyles, styleSheet } from './styles.ts'
import { view } from './view.ts'

const forGood = 'public, max-age=31536000, immutable'

/** The pages for people beside the console: signing in, and the API to read. */
export function sitePages(
  openApi: () => OpenApiDocument,
  consolePages?: { page: PageHandler; font: PageHandler },
): readonly SitePage[] {
  return [
    ['get', '/', consolePages?.page ?? home],
    ...signInPages,
    ...mcpSignInPages,
    ['get', '/docs', (visit) => docs(visit, openApi())],
    ['get', '/assets/toolcrib.css', () => file('text/css; charset=utf-8', styleSheet)],
    ['get', '/assets/scheme.css', scheme],
    ['get', '/assets/fonts/:name', consolePages?.font ?? (() => empty(404))],
    ['get', '/assets/toolcrib.svg', () => file('image/svg+xml', markSvg)],
  ]
}

/** Without a build of the console there is still the API, and a word on how to get one. */
async function home({ door, request }: DoorRequest): Promise<Reply> {
  const person = await findPerson(door, request)
  if ('page' in person) return person.page
  return view(200, { title: 'No console', isSignedIn: true, content: noConsolePage() })
}

async function docs({ door, request }: DoorRequest, document: OpenApiDocument): Promise<Reply> {
  const isSignedIn = await isKnown(door, request)
  const content = docsPage(document)
  return view(200, { title: 'API', current: 'docs', isSignedIn, content })
}

/** Anybody may read the API's description, also while the caller cannot be identified. */
async function isKnown({ browser }: Door, request: HttpRequest): Promise<boolean> {
  try {
    return (await browser.find(request)) !== undefined
  } catch {
    return false
  }
}

/** The page for an address where nothing is. */
export function notFoundReply(path: string): Reply {
  return view(404, { title: 'Not found', content: notFoundPage(path) })
}

/** A file of its own: pages need no script to know what was chosen, and the large file is kept for good. */
function scheme({ request }: DoorRequest): Reply {
  const chosen = readCookie(request.header('cookie'), 'toolcrib_scheme')
  const body = chosenStyles(chosen)
  return { status: 200, type: 'text/css; charset=utf-8', body, cacheControl: 'no-store' }
}

function file(type: string, body: string): Reply {
  return { status: 200, type, body, cacheControl: forGood }
}
