import { createHash } from 'node:crypto'
import type { Caller } from '../../../core/call.ts'
import type { HttpRequest } from '../request/http-request.ts'
import { checkOrigin } from '../request/identify.ts'
import { empty, page } from '../reply.ts'
import type { Reply } from '../reply.ts'
import type { Door, Visit } from '../route.ts'
import type { Sessions } from '../sign-in/sessions.ts'
import { docsPage } from './docs-page.ts'
import type { Html } from './html.ts'
import { layout } from './layout.ts'
import type { OpenApiDocument } from './openapi-view.ts'
import { notFoundPage, signedOutPage } from './signed-out-page.ts'
import { iconSvg, styleSheet } from './styles.ts'
import { toolsPage } from './tools-page.ts'

export interface SiteOptions {
  sessions: Sessions
  /** Whose one-time token this is; undefined when it is used up, expired or never was. */
  redeem(token: string): Promise<Caller | undefined> | Caller | undefined
  publicUrl: string | undefined
  openApi(): OpenApiDocument
}

/** One page or file of the site: method, path and what it answers. */
export type SitePage = readonly ['get' | 'post', string, (visit: Visit) => Promise<Reply> | Reply]

const styleTag = createHash('sha256').update(styleSheet).digest('base64url').slice(0, 12)
const forGood = 'public, max-age=31536000, immutable'

/** The pages for people: the tools, sign-in, and the API to read. */
export function sitePages(options: SiteOptions): readonly SitePage[] {
  return [
    ['get', '/', ({ door, request }) => home(options, door, request)],
    ['get', '/sign-in', ({ request }) => signIn(options, request)],
    ['post', '/sign-out', ({ request }) => signOut(options, request)],
    ['get', '/docs', ({ request }) => docs(options, request)],
    ['get', '/assets/toolcrib.css', () => file('text/css; charset=utf-8', styleSheet)],
    ['get', '/assets/toolcrib.svg', () => file('image/svg+xml', iconSvg)],
  ]
}

async function home(options: SiteOptions, door: Door, request: HttpRequest): Promise<Reply> {
  const caller = signedIn(options, request)
  if (caller === undefined) return view(401, { title: 'Sign in', content: signedOutPage('none') })
  const q = (queryOf(request).get('q') ?? '')
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

async function signIn(options: SiteOptions, request: HttpRequest): Promise<Reply> {
  const url = addressOf(options, request)
  const token = queryOf(request).get('token') ?? ''
  // A link preview or a prefetch only looks: it must not use the token up.
  const isLooking = request.method === 'HEAD' || /prefetch|preview/.test(purposeOf(request))
  if (isLooking) return empty(204)
  const caller = token === '' ? undefined : await options.redeem(token)
  if (caller !== undefined) {
    return redirectHome(options.sessions.start(caller, url))
  }
  // Opening the same link again in the browser that used it is no mistake.
  if (signedIn(options, request) !== undefined) return redirectHome()
  return view(401, { title: 'Sign in', content: signedOutPage(token === '' ? 'none' : 'used') })
}

function signOut(options: SiteOptions, request: HttpRequest): Reply {
  checkOrigin(request, options.publicUrl)
  const cookie = request.header('cookie')
  return redirectHome(options.sessions.end(cookie, addressOf(options, request)))
}

function docs(options: SiteOptions, request: HttpRequest): Reply {
  const isSignedIn = signedIn(options, request) !== undefined
  return view(200, {
    title: 'API',
    current: 'docs',
    isSignedIn,
    content: docsPage(options.openApi()),
  })
}

/** The page for an address where nothing is. */
export function notFoundReply(path: string): Reply {
  return view(404, { title: 'Not found', content: notFoundPage(path) })
}

function signedIn(options: SiteOptions, request: HttpRequest): Caller | undefined {
  return options.sessions.find(request.header('cookie'), addressOf(options, request))
}

function addressOf({ publicUrl }: SiteOptions, request: HttpRequest): string {
  return publicUrl ?? request.url
}

function queryOf(request: HttpRequest): URLSearchParams {
  return new URL(request.url).searchParams
}

function purposeOf(request: HttpRequest): string {
  return `${request.header('sec-purpose') ?? ''} ${request.header('purpose') ?? ''}`
}

function redirectHome(cookie?: string): Reply {
  return empty(
    303,
    cookie === undefined ? ['location', '/'] : ['location', '/', 'set-cookie', cookie],
  )
}

interface View {
  title: string
  content: Html
  current?: 'tools' | 'docs'
  isSignedIn?: boolean
}

function view(status: number, { isSignedIn = false, ...rest }: View): Reply {
  return page(status, layout({ ...rest, isSignedIn, styleTag }))
}

function file(type: string, body: string): Reply {
  return { status: 200, type, body, cacheControl: forGood }
}
