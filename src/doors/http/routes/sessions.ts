import { z } from 'zod'
import { account, invitation, listedSession, passwordText } from '../describe/sign-in-schemas.ts'
import { shortText } from '../../../core/operations/fields.ts'
import { idParam } from '../request/route-params.ts'
import { empty, json } from '../reply.ts'
import { defineRoute } from '../route.ts'
import type { Door, Route } from '../route.ts'
import type { HttpRequest } from '../request/http-request.ts'

const member = shortText('Of this member; needs members.manage').optional()

const listSessions = defineRoute({
  method: 'get',
  path: '/api/v1/sessions',
  tag: 'Sign-in',
  summary: 'List where you are signed in',
  query: z.strictObject({ member }),
  answers: {
    200: {
      description: 'The sessions, newest first',
      schema: z.object({ items: z.array(listedSession) }),
    },
  },
  async handle({ door, caller, query }) {
    return json(200, { items: await door.api.listSessions(caller, query) })
  },
})

const endSession = defineRoute({
  method: 'delete',
  path: '/api/v1/sessions/{id}',
  tag: 'Sign-in',
  summary: 'End one session',
  params: { id: 'The id of the session' },
  answers: { 204: { description: 'It has ended, on every node' } },
  async handle({ door, caller, request }) {
    await door.api.endSession(caller, idParam(request))
    return empty(204)
  },
})

const endSessions = defineRoute({
  method: 'delete',
  path: '/api/v1/sessions',
  tag: 'Sign-in',
  summary: 'Sign out everywhere',
  query: z.strictObject({
    member,
    keepCurrent: z
      .enum(['true', 'false'])
      .optional()
      .meta({ description: 'Stay signed in on the browser that asks' }),
  }),
  answers: {
    200: { description: 'How many have ended', schema: z.object({ ended: z.int() }) },
  },
  async handle({ door, caller, query }) {
    const keepCurrent = query.keepCurrent === 'true'
    return json(200, await door.api.endSessions(caller, { member: query.member, keepCurrent }))
  },
})

const createLink = defineRoute({
  method: 'post',
  path: '/api/v1/sign-in-links',
  tag: 'Sign-in',
  summary: 'Make a one-time sign-in link',
  description: 'For an owner unless a member is named. It works once, for an hour.',
  body: {
    isRequired: false,
    schema: z
      .strictObject({ member: shortText('The id of the member').optional() })
      .meta({ id: 'SignInLinkRequest' }),
  },
  answers: {
    201: {
      description: 'The link, for the only time',
      schema: z.object({ member: z.string(), url: z.string(), expiresAt: z.string() }),
    },
  },
  async handle({ door, caller, body, request }) {
    const { path, ...link } = await door.api.createSignInLink(caller, body)
    return json(201, { ...link, url: toLink(door, request, path) })
  },
})

const findAccount = defineRoute({
  method: 'get',
  path: '/api/v1/account',
  tag: 'Sign-in',
  summary: 'Show who you are',
  answers: { 200: { description: 'The member that is signed in', schema: account } },
  async handle({ door, caller }) {
    return json(200, await door.api.findAccount(caller))
  },
})

const changeAccount = defineRoute({
  method: 'patch',
  path: '/api/v1/account',
  tag: 'Sign-in',
  summary: 'Change what you are called',
  body: {
    isRequired: true,
    schema: z
      .strictObject({ name: shortText('What others are to call you').max(100) })
      .meta({ id: 'AccountChange' }),
  },
  answers: { 200: { description: 'The member that is signed in', schema: account } },
  async handle({ door, caller, body }) {
    return json(200, await door.api.changeAccount(caller, body))
  },
})

const changePassword = defineRoute({
  method: 'put',
  path: '/api/v1/account/password',
  tag: 'Sign-in',
  summary: 'Set your password',
  description:
    'The current one is needed unless you came by a link within the hour. Every other session of yours ends.',
  body: {
    isRequired: true,
    schema: z
      .strictObject({
        current: passwordText.optional(),
        password: passwordText,
        email: shortText('Your address, where you have none yet').optional(),
      })
      .meta({ id: 'PasswordRequest' }),
  },
  answers: { 204: { description: 'It is set' } },
  async handle({ door, caller, body, request }) {
    await door.api.changePassword(caller, body, door.browser.visitor(request))
    return empty(204)
  },
})

const listInvitations = defineRoute({
  method: 'get',
  path: '/api/v1/invitations',
  tag: 'Sign-in',
  summary: 'List open invitations',
  answers: {
    200: { description: 'Without their links', schema: z.object({ items: z.array(invitation) }) },
  },
  async handle({ door, caller }) {
    return json(200, { items: await door.api.listInvitations(caller) })
  },
})

const createInvitation = defineRoute({
  method: 'post',
  path: '/api/v1/invitations',
  tag: 'Sign-in',
  summary: 'Invite somebody',
  description: 'The link is in this answer and nowhere else. It works once, for seven days.',
  body: {
    isRequired: true,
    schema: z
      .strictObject({
        email: shortText('Their address'),
        role: shortText('The role they will have'),
        permissions: z
          .array(shortText('A permission beside those of the role'))
          .max(200)
          .optional(),
      })
      .meta({ id: 'InvitationRequest' }),
  },
  answers: {
    201: {
      description: 'The invitation and its link',
      schema: z.object({ invitation, url: z.string() }),
    },
  },
  async handle({ door, caller, body, request }) {
    const { path, ...made } = await door.api.createInvitation(caller, body)
    return json(201, { ...made, url: toLink(door, request, path) })
  },
})

const revokeInvitation = defineRoute({
  method: 'delete',
  path: '/api/v1/invitations/{id}',
  tag: 'Sign-in',
  summary: 'Withdraw an invitation',
  params: { id: 'The id of the invitation' },
  answers: { 204: { description: 'Its link no longer works' } },
  async handle({ door, caller, request }) {
    await door.api.revokeInvitation(caller, idParam(request))
    return empty(204)
  },
})

function toLink(door: Door, request: HttpRequest, path: string): string {
  return new URL(path, door.browser.addressOf(request)).href
}

/** Who is signed in where, and who is asked in. */
export const sessionRoutes: readonly Route[] = [
  listSessions,
  endSession,
  endSessions,
  createLink,
  findAccount,
  changeAccount,
  changePassword,
  listInvitations,
  createInvitation,
  revokeInvitation,
]
