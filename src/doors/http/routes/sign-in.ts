import type { z } from 'zod'
import type { OpenedSignIn } from '../../../core/sign-in/sign-in.ts'
import { acceptRequest, signedIn, signInRequest } from '../../../features/sign-ins/schemas.ts'
import type { HttpRequest } from '../request/http-request.ts'
import { linkAttempt } from '../request/auth-throttle.ts'
import { checkForeignOrigin, checkOrigin } from '../request/identify.ts'
import { parseWith } from '../../../core/operations/parse-with.ts'
import { readJsonBody } from '../request/request-body.ts'
import { empty, json } from '../reply.ts'
import type { Reply } from '../reply.ts'
import type { Door, PublicRoute } from '../route.ts'

const signedInAnswer = {
  200: {
    description: 'Signed in; the cookie holds the sign-in',
    schema: signedIn,
    headers: { 'set-cookie': 'The sign-in: HttpOnly, SameSite=Lax' },
  },
  401: { description: 'Sign-in failed; the answer does not say why' },
  429: { description: 'Too many attempts; Retry-After has the seconds to wait' },
}

const signIn: PublicRoute = {
  method: 'post',
  path: '/api/v1/sign-in',
  tag: 'Sign-in',
  summary: 'Sign in with a password',
  description:
    'For browsers; programs send an API key. This ends the sign-in that the browser had before.',
  body: { isRequired: true, schema: signInRequest },
  answers: signedInAnswer,
  async visit({ door, request }) {
    const body = await readPublic(door, request, signInRequest)
    return entered(door, request, await door.api.signIn(body, door.browser.visitor(request)))
  },
}

const accept: PublicRoute = {
  method: 'post',
  path: '/api/v1/invitations/accept',
  tag: 'Sign-in',
  summary: 'Accept an invitation',
  description: 'Adds the member, sets the password and signs in. The link works once.',
  body: { isRequired: true, schema: acceptRequest },
  answers: signedInAnswer,
  async visit({ door, request }) {
    const body = await readPublic(door, request, acceptRequest)
    const visitor = door.browser.visitor(request)
    const accept = () => door.api.acceptInvitation(body, visitor)
    return entered(
      door,
      request,
      await door.throttle.guard(request, linkAttempt(body.token), accept),
    )
  },
}

const signOut: PublicRoute = {
  method: 'post',
  path: '/api/v1/sign-out',
  tag: 'Sign-in',
  summary: 'Sign out on this browser',
  answers: { 204: { description: 'Signed out' } },
  async visit({ door, request }) {
    const token = door.browser.token(request)
    if (token === undefined) return empty(204)
    checkOrigin(request, door.publicUrl)
    await door.api.signOut(token)
    return empty(204, ['set-cookie', door.browser.leave(request)])
  },
}

async function readPublic<T>(door: Door, request: HttpRequest, schema: z.ZodType<T>): Promise<T> {
  checkForeignOrigin(request, door.publicUrl)
  return parseWith(schema, await readJsonBody(request, door.limits), 'body')
}

function entered(door: Door, request: HttpRequest, opened: OpenedSignIn): Reply {
  const { signIn, member } = opened
  return json(200, { signIn, member }, ['set-cookie', door.browser.enter(request, opened)])
}

/** Coming in and going out, for pages that speak JSON. */
export const signInRoutes: readonly PublicRoute[] = [signIn, signOut, accept]
