import { z } from 'zod'
import { member, memberChange, memberRequest, whoAmI } from '../describe/people-schemas.ts'
import { pageLimit, pageOf, shortText } from '../../../core/operations/fields.ts'
import { idParam } from '../request/route-params.ts'
import { empty, json } from '../reply.ts'
import { defineRoute } from '../route.ts'
import type { Route } from '../route.ts'

const params = { id: 'The id of the member' }

const readMe = defineRoute({
  method: 'get',
  path: '/api/v1/me',
  tag: 'Members',
  summary: 'Read who you are',
  description: 'Whoever this key or session stands for, where, and with what.',
  answers: { 200: { description: 'You', schema: whoAmI } },
  async handle({ door, caller }) {
    const [me, changesFrom] = await Promise.all([
      door.api.whoAmI(caller),
      door.api.endOfEvents(caller),
    ])
    return json(200, { ...me, changesFrom })
  },
})

const listMembers = defineRoute({
  method: 'get',
  path: '/api/v1/members',
  tag: 'Members',
  summary: 'List the members',
  description: 'In the order in which they came. Needs `members.manage` or `audit.read`.',
  query: z.strictObject({
    after: shortText('The `next` of the page before').optional(),
    limit: pageLimit(50, 500),
  }),
  answers: { 200: { description: 'A page of members', schema: pageOf(member) } },
  async handle({ door, caller, query }) {
    return json(200, await door.api.listMembers(caller, query))
  },
})

const listNames = defineRoute({
  method: 'get',
  path: '/api/v1/members/names',
  tag: 'Members',
  summary: 'List what the members are called',
  description:
    'Ids and names, without addresses and roles, at most 500. Open to every signed-in person of the tenant; a key needs `members.manage` or `audit.read`.',
  answers: {
    200: {
      description: 'The names',
      schema: z.object({ items: z.array(z.object({ id: z.string(), name: z.string() })) }),
    },
  },
  async handle({ door, caller }) {
    return json(200, { items: await door.api.listNames(caller) })
  },
})

const createMember = defineRoute({
  method: 'post',
  path: '/api/v1/members',
  tag: 'Members',
  summary: 'Add a member without an invitation',
  description: 'Needs `members.manage`, and every permission that the member is to hold.',
  body: { isRequired: true, schema: memberRequest },
  answers: {
    201: { description: 'The member', schema: member },
    409: { description: 'Somebody has this address already' },
  },
  async handle({ door, caller, body }) {
    return json(201, await door.api.createMember(caller, body))
  },
})

const findMember = defineRoute({
  method: 'get',
  path: '/api/v1/members/{id}',
  tag: 'Members',
  summary: 'Read one member',
  params,
  answers: { 200: { description: 'The member', schema: member } },
  async handle({ door, caller, request }) {
    return json(200, await door.api.findMember(caller, idParam(request)))
  },
})

const changeMember = defineRoute({
  method: 'patch',
  path: '/api/v1/members/{id}',
  tag: 'Members',
  summary: 'Change, suspend or resume a member',
  description:
    'What is left out stays. Suspending ends their sessions. Only an owner changes owners, and the last one stays one.',
  params,
  body: { isRequired: true, schema: memberChange },
  answers: {
    200: { description: 'The member', schema: member },
    409: { description: 'It is the last owner' },
  },
  async handle({ door, caller, request, body }) {
    return json(200, await door.api.changeMember(caller, idParam(request), body))
  },
})

const removeMember = defineRoute({
  method: 'delete',
  path: '/api/v1/members/{id}',
  tag: 'Members',
  summary: 'Remove a member',
  params,
  answers: {
    204: { description: 'They are gone, with their sessions' },
    409: { description: 'It is the last owner' },
  },
  async handle({ door, caller, request }) {
    await door.api.removeMember(caller, idParam(request))
    return empty(204)
  },
})

export const memberRoutes: readonly Route[] = [
  readMe,
  listMembers,
  listNames,
  createMember,
  findMember,
  changeMember,
  removeMember,
]
