import { z } from 'zod'
import { approvalStatuses } from '../../../core/approvals/approval.ts'
import {
  approval,
  approvalRule,
  batchAnswer,
  batchBody,
  decisionBody,
} from '../describe/approval-schemas.ts'
import { pageLimit, pageOf, shortText } from '../../../core/operations/fields.ts'
import { empty, json } from '../reply.ts'
import { idParam } from '../request/route-params.ts'
import { defineRoute } from '../route.ts'
import type { Route } from '../route.ts'

const tag = 'Approvals'
const id = { id: 'The id of the approval' }

const listApprovals = defineRoute({
  method: 'get',
  path: '/api/v1/approvals',
  tag,
  summary: 'List approvals',
  description:
    'Newest first unless `order` says otherwise. Without `approvals.decide`: those that your own calls wait for.',
  query: z.strictObject({
    status: z.enum(approvalStatuses).optional(),
    tool: shortText('Approvals for calls of this tool').optional(),
    order: z
      .enum(['newest', 'oldest'])
      .optional()
      .meta({ description: 'Which come first (newest); a `next` is of one order' }),
    after: shortText('The `next` of the page before').optional(),
    limit: pageLimit(50, 200),
  }),
  answers: { 200: { description: 'A page of approvals', schema: pageOf(approval) } },
  async handle({ door, caller, query }) {
    return json(200, await door.api.listApprovals(caller, query))
  },
})

const findApproval = defineRoute({
  method: 'get',
  path: '/api/v1/approvals/{id}',
  tag,
  summary: 'Read one approval',
  params: id,
  answers: { 200: { description: 'The approval', schema: approval } },
  async handle({ door, caller, request }) {
    return json(200, await door.api.findApproval(caller, idParam(request)))
  },
})

const decideApproval = defineRoute({
  method: 'post',
  path: '/api/v1/approvals/{id}/decision',
  tag,
  summary: 'Approve or reject a call',
  description:
    'An approved call runs once, on any node, with the input given here or its own. Tool, input and policy are looked at again first: what is wrong with them refuses the decision and leaves the approval pending.',
  params: id,
  body: { schema: decisionBody, isRequired: true },
  answers: {
    200: { description: 'The approval; still pending when more people have to', schema: approval },
    403: { description: 'Not yours to decide, or policy no longer allows the call' },
    409: { description: 'It was decided, has expired, was edited, or its call has ended' },
    422: { description: 'The edited input does not fit the tool' },
  },
  async handle({ door, caller, body, request }) {
    return json(200, await door.api.decideApproval(caller, idParam(request), body))
  },
})

const decideApprovals = defineRoute({
  method: 'post',
  path: '/api/v1/approvals/decisions',
  tag,
  summary: 'Decide on several approvals',
  description: 'Each is answered for itself: one that is refused does not stop the others.',
  body: { schema: batchBody, isRequired: true },
  answers: {
    200: { description: 'An answer for each', schema: z.object({ items: z.array(batchAnswer) }) },
  },
  async handle({ door, caller, body }) {
    return json(200, { items: await door.api.decideApprovals(caller, body.decisions) })
  },
})

const listRules = defineRoute({
  method: 'get',
  path: '/api/v1/approval-rules',
  tag,
  summary: 'List what was approved for later',
  description: 'Rules that hold now, newest first.',
  query: z.strictObject({ tool: shortText('Rules for calls of this tool').optional() }),
  answers: {
    200: { description: 'The rules', schema: z.object({ items: z.array(approvalRule) }) },
  },
  async handle({ door, caller, query }) {
    return json(200, { items: await door.api.listApprovalRules(caller, query) })
  },
})

const revokeRule = defineRoute({
  method: 'delete',
  path: '/api/v1/approval-rules/{id}',
  tag,
  summary: 'Revoke a rule',
  description: 'Like calls are asked about again from now on.',
  params: { id: 'The id of the rule' },
  answers: { 204: { description: 'It no longer holds' } },
  async handle({ door, caller, request }) {
    await door.api.revokeApprovalRule(caller, idParam(request))
    return empty(204)
  },
})

export const approvalRoutes: readonly Route[] = [
  listApprovals,
  decideApprovals,
  findApproval,
  decideApproval,
  listRules,
  revokeRule,
]
