import type { HttpRequest } from '../request/http-request.ts'
import type { Reply } from '../reply.ts'
import type { Door, Visit } from '../route.ts'
import { accountPages } from './account-pages.ts'
import { docsPage } from './docs-page.ts'
import { notFoundPage } from './not-found-page.ts'
import type { OpenApiDocument } from './openapi-view.ts'
import { findPerson, signInPages } from './sign-in-pages.ts'
import { mcpSignInPages } from './mcp-sign-in-pages.ts'
import type { SitePage } from './site-page.ts'
import { iconSvg, styleSheet } from './styles.ts'
import { toolsPage } from './tools-page.ts'
import { view } from './view.ts'

const forGood = 'public, max-age=31536000, immutable'

/** The pages for people: the tools, signing in, and the API to read. */
export function sitePages(
  openApi: () => OpenApiDocument,
  consolePage: SitePage[2] = home,
): readonly SitePage[] {
  return [
    ['get', '/', consolePage],
    ...signInPages,
    ...accountPages,
    ...mcpSignInPages,
    ['get', '/docs', (visit) => docs(visit, openApi())],
    ['get', '/assets/toolcrib.css', () => file('text/css; charset=utf-8', styleSheet)],
    ['get', '/assets/toolcrib.svg', () => file('image/svg+xml', iconSvg)],
  ]
}

async function home({ door, request }: Visit): Promise<Reply> {
  const person = await findPerson(door, request)
  if ('page' in person) return person.page
  const { caller } = person
  const q = (new URL(request.url).searchParams.get('q') ?? '')
    .slice(0, 200)
    .replaceAll(/\p{Cc}/gu, ' ')
    .trim()
  const { items, next } = await door.api.listTools(caller, {
    q: q === '' ? undefined : q,
    limit: 500,
  })
  const content = toolsPage({ tools: items, hasMore: next !== undefined, tenant: caller.tenant, q })
  return view(200, { title: 'Tools', current: 'tools', isSignedIn: true, content })
}

async function docs({ door, request }: Visit, document: OpenApiDocument): Promise<Reply> {
  const isSignedIn = await isKnown(door, request)
  const content = docsPage(document)
  return view(200, { title: 'API', current: 'docs', isSignedIn, content })
}

/** The API is read by everybody, also while nobody can tell who they are. */
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

function file(type: string, body: string): Reply {
  return { status: 200, type, body, cacheControl: forGood }
}
