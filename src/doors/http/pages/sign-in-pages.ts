import type { Caller } from '../../../core/kernel/call.ts'
import { isToolError } from '../../../core/kernel/errors.ts'
import type { ToolError } from '../../../core/kernel/errors.ts'
import type { OpenedSignIn } from '../../../core/sign-in/sign-in.ts'
import { problemKinds } from '../problem.ts'
import { readForm } from '../request/form-body.ts'
import type { HttpRequest } from '../request/http-request.ts'
import { linkAttempt } from '../request/auth-throttle.ts'
import { checkOrigin } from '../request/identify.ts'
import { empty } from '../reply.ts'
import type { Reply } from '../reply.ts'
import type { Door, DoorRequest } from '../route.ts'
import { toNextPath } from './next-path.ts'
import { toFaults } from './fields.ts'
import { invitationOverPage, invitationPage } from './invitation-page.ts'
import type { SitePage } from './site-page.ts'
import { linkPage, signInPage } from './sign-in-page.ts'
import type { SignInView } from './sign-in-page.ts'
import { view } from './view.ts'

/** The pages by which people come in and go out. Wherever they lead, it is to a place of this server. */
export const signInPages: readonly SitePage[] = [
  ['get', '/sign-in', openLink],
  ['post', '/sign-in', signIn],
  ['post', '/sign-in/link', useLink],
  ['get', '/sign-in/oidc/:name', startOidc],
  ['get', '/sign-in/oidc/:name/callback', finishOidc],
  ['get', '/invitation', showInvitation],
  ['post', '/invitation', accept],
  ['post', '/sign-out', signOut],
  // The console has it now; people still have bookmarks of this address.
  ['get', '/account', () => redirectTo('/settings/account')],
]

/** The page for somebody who is not signed in. */
export async function signedOut(
  door: Door,
  status: number,
  more: Omit<SignInView, 'methods'> & { headers?: readonly string[] } = {},
): Promise<Reply> {
  const { headers, ...shown } = more
  const methods = await door.api.signInMethods()
  const content = signInPage({ methods, ...shown })
  return view(status, { title: 'Sign in', content, headers })
}

/** The person who is signed in, or the page for people who are not or whose tenant is closed. */
export async function findPerson(
  door: Door,
  request: HttpRequest,
): Promise<{ caller: Caller } | { page: Reply }> {
  try {
    const caller = await door.browser.find(request)
    return caller === undefined ? { page: await signedOut(door, 401) } : { caller }
  } catch (error) {
    return { page: await refused(door, error) }
  }
}

async function openLink({ door, request }: DoorRequest): Promise<Reply> {
  const query = new URL(request.url).searchParams
  const token = query.get('token') ?? ''
  if (isLooking(request)) return empty(204)
  const next = toNextPath(query.get('next'))
  if (token !== '') return followLink(door, request, { token, next })
  const person = await findPerson(door, request)
  if ('caller' in person) return redirectTo(next)
  // A signed-in person without access, for example in a suspended tenant, gets an explanation.
  if (person.page.status === 403) return person.page
  return signedOut(door, 200, { next, typed: { tenant: query.get('tenant') ?? undefined } })
}

async function followLink(
  door: Door,
  request: HttpRequest,
  { token, next }: LinkUse,
): Promise<Reply> {
  try {
    const look = () => door.api.findSignInLink(token)
    const offer = await door.throttle.guard(request, linkAttempt(token), look)
    const isAtOnce = offer.opensAtOnce && isOpenedByPerson(request)
    if (isAtOnce) return await enterByLink(door, request, { token, next })
    // Programs that look through mail open what they find: only a person presses a button.
    return view(200, { title: 'Sign in', content: linkPage(offer, { token, next }) })
  } catch (error) {
    if (!isRefusal(error)) throw error
    if (error.code === 'rate_limited') return refused(door, error)
    // Opening the same link again in the browser that used it is not a mistake.
    if ('caller' in (await findPerson(door, request))) return redirectTo(next)
    return signedOut(door, 401, { isLinkUsed: true, next })
  }
}

async function useLink({ door, request }: DoorRequest): Promise<Reply> {
  checkOrigin(request, door.publicUrl)
  const form = await readForm(request)
  const next = toNextPath(form.get('next'))
  try {
    const token = form.get('token') ?? ''
    const enter = () => enterByLink(door, request, { token, next })
    return await door.throttle.guard(request, linkAttempt(token), enter)
  } catch (error) {
    if (!isRefusal(error)) throw error
    if (error.code === 'rate_limited') return refused(door, error)
    return signedOut(door, 401, { isLinkUsed: true, next })
  }
}

interface LinkUse {
  token: string
  next: string | undefined
}

async function enterByLink(
  door: Door,
  request: HttpRequest,
  { token, next }: LinkUse,
): Promise<Reply> {
  const opened = await door.api.signInByLink(token, door.browser.visitor(request))
  return entered(door, request, { ...opened, next })
}

/**
 * Whether a browser opened this address directly, typed or from a terminal. Requests by pages and
 * by programs that show link previews have other headers.
 */
function isOpenedByPerson(request: HttpRequest): boolean {
  const told = (name: string) => request.header(`sec-fetch-${name}`)
  return told('mode') === 'navigate' && told('dest') === 'document' && told('site') === 'none'
}

/** A link preview or a prefetch only looks: it must not use anything up. */
function isLooking(request: HttpRequest): boolean {
  const purpose = `${request.header('sec-purpose') ?? ''} ${request.header('purpose') ?? ''}`
  return request.method === 'HEAD' || /prefetch|preview/.test(purpose)
}

async function signIn({ door, request }: DoorRequest): Promise<Reply> {
  checkOrigin(request, door.publicUrl)
  const form = await readForm(request)
  const tenant = form.get('tenant')?.trim() || undefined
  const typed = { tenant, email: form.get('email') ?? '' }
  const password = form.get('password') ?? ''
  const next = toNextPath(form.get('next'))
  try {
    const visitor = door.browser.visitor(request)
    const opened = await door.api.signIn({ ...typed, password }, visitor)
    return entered(door, request, { ...opened, next })
  } catch (error) {
    if (!isRefusal(error)) throw error
    const faults = toFaults(error, ['email', 'password'])
    return signedOut(door, statusOf(error), { faults, typed, next, headers: waitOf(error) })
  }
}

async function startOidc({ door, request }: DoorRequest): Promise<Reply> {
  if (isLooking(request)) return empty(204)
  const name = request.param('name') ?? ''
  try {
    const visitor = door.browser.visitor(request)
    const redirectUri = redirectUriOf(door, request, name)
    const next = toNextPath(new URL(request.url).searchParams.get('next'))
    const { url, secret } = await door.api.startOidc(name, { redirectUri, next }, visitor)
    return empty(303, ['location', url, 'set-cookie', door.browser.bindOidc(request, secret)])
  } catch (error) {
    return refused(door, error)
  }
}

async function finishOidc({ door, request }: DoorRequest): Promise<Reply> {
  const name = request.param('name') ?? ''
  const unbind = ['set-cookie', door.browser.bindOidc(request, undefined)]
  try {
    const answer = {
      url: request.url,
      redirectUri: redirectUriOf(door, request, name),
      secret: door.browser.oidcSecret(request),
    }
    const state = new URL(request.url).searchParams.get('state') ?? ''
    const finish = () => door.api.finishOidc(name, answer, door.browser.visitor(request))
    const opened = await door.throttle.guard(request, linkAttempt(state), finish)
    const reply = entered(door, request, opened)
    return { ...reply, headers: [...(reply.headers ?? []), ...unbind] }
  } catch (error) {
    return refused(door, error)
  }
}

/** Where the provider sends the browser back to: one exact address, registered there. */
function redirectUriOf(door: Door, request: HttpRequest, name: string): string {
  const path = `/sign-in/oidc/${encodeURIComponent(name)}/callback`
  return new URL(path, door.browser.addressOf(request)).href
}

async function showInvitation({ door, request }: DoorRequest): Promise<Reply> {
  const query = new URL(request.url).searchParams
  const token = query.get('token') ?? ''
  const next = toNextPath(query.get('next'))
  try {
    const look = () => door.api.findInvitation(token)
    const offer = await door.throttle.guard(request, linkAttempt(token), look)
    return view(200, { title: 'Join', content: invitationPage({ offer, token, next }) })
  } catch (error) {
    if (!isRefusal(error)) throw error
    if (error.code === 'rate_limited') return refused(door, error)
    return view(statusOf(error), { title: 'Join', content: invitationOverPage() })
  }
}

async function accept({ door, request }: DoorRequest): Promise<Reply> {
  checkOrigin(request, door.publicUrl)
  const form = await readForm(request)
  const token = form.get('token') ?? ''
  const name = form.get('name') ?? ''
  const given = { token, name, password: form.get('password') ?? '' }
  const next = toNextPath(form.get('next'))
  try {
    const visitor = door.browser.visitor(request)
    const join = () => door.api.acceptInvitation(given, visitor)
    const opened = await door.throttle.guard(request, linkAttempt(token), join)
    return entered(door, request, { ...opened, next })
  } catch (error) {
    if (!isRefusal(error)) throw error
    if (error.code === 'sign_in_failed') {
      return view(statusOf(error), { title: 'Join', content: invitationOverPage() })
    }
    const offer = await door.api.findInvitation(token)
    const faults = toFaults(error, ['name', 'password'])
    const content = invitationPage({ offer, token, next, faults, name })
    return view(statusOf(error), { title: 'Join', content, headers: waitOf(error) })
  }
}

async function signOut({ door, request }: DoorRequest): Promise<Reply> {
  checkOrigin(request, door.publicUrl)
  const token = door.browser.token(request)
  if (token !== undefined) await door.api.signOut(token)
  return redirectTo('/', door.browser.leave(request))
}

async function refused(door: Door, error: unknown): Promise<Reply> {
  if (!isRefusal(error)) throw error
  const faults = toFaults({ message: error.message, fix: error.fix, issues: [] }, [])
  return signedOut(door, statusOf(error), { faults, headers: waitOf(error) })
}

function entered(
  door: Door,
  request: HttpRequest,
  opened: OpenedSignIn & { next?: string },
): Reply {
  // Checked once more: the stored address was written by the person who began.
  return redirectTo(toNextPath(opened.next), door.browser.enter(request, opened))
}

function redirectTo(path = '/', cookie?: string): Reply {
  return empty(
    303,
    cookie === undefined ? ['location', path] : ['location', path, 'set-cookie', cookie],
  )
}

/** Shown on the page itself; a bug or an unreachable store is answered as everywhere. */
export function isRefusal(error: unknown): error is ToolError {
  return isToolError(error) && problemKinds[error.code].status !== 503 && error.code !== 'internal'
}

/** The status of an error page. */
export function statusOf({ code }: ToolError): number {
  return problemKinds[code].status
}

/** Retry-After, where the error knows how long. */
export function waitOf({ details }: ToolError): readonly string[] | undefined {
  const wait = details['retryAfterMs']
  return typeof wait === 'number' ? ['retry-after', String(Math.ceil(wait / 1000))] : undefined
}
