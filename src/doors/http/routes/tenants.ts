import { z } from 'zod'
import { tenant, tenantChange, tenantRequest } from '../describe/people-schemas.ts'
import { pageLimit, pageOf, shortText } from '../../../core/operations/fields.ts'
import { isShortText } from '../../../core/short-text.ts'
import type { HttpRequest } from '../request/http-request.ts'
import { tenantNotFound } from '../../../core/rules/tenant.ts'
import { empty, json } from '../reply.ts'
import { defineRoute } from '../route.ts'
import type { Route } from '../route.ts'

const params = { slug: 'The slug of the tenant' }
const needs = 'Needs `tenants.manage`, held in the tenant `default`.'

const listTenants = defineRoute({
  method: 'get',
  path: '/api/v1/tenants',
  tag: 'Tenants',
  summary: 'List the tenants',
  description: `By slug. ${needs}`,
  query: z.strictObject({
    after: shortText('The `next` of the page before').optional(),
    limit: pageLimit(50, 500),
  }),
  answers: { 200: { description: 'A page of tenants', schema: pageOf(tenant) } },
  async handle({ door, caller, query }) {
    return json(200, await door.api.listTenants(caller, query))
  },
})

const createTenant = defineRoute({
  method: 'post',
  path: '/api/v1/tenants',
  tag: 'Tenants',
  summary: 'Make a tenant',
  description: `${needs} It has no members yet: act in it with \`Toolcrib-Tenant\` to add the first.`,
  body: { isRequired: true, schema: tenantRequest },
  answers: {
    201: { description: 'The tenant', schema: tenant },
    409: { description: 'There is one already, or one that is still being deleted' },
  },
  async handle({ door, caller, body }) {
    return json(201, await door.api.createTenant(caller, body))
  },
})

const findTenant = defineRoute({
  method: 'get',
  path: '/api/v1/tenants/{slug}',
  tag: 'Tenants',
  summary: 'Read one tenant',
  description: needs,
  params,
  answers: { 200: { description: 'The tenant', schema: tenant } },
  async handle({ door, caller, request }) {
    return json(200, await door.api.findTenant(caller, slugParam(request)))
  },
})

const changeTenant = defineRoute({
  method: 'patch',
  path: '/api/v1/tenants/{slug}',
  tag: 'Tenants',
  summary: 'Rename, suspend or resume a tenant',
  description: `${needs} While it is suspended every door answers 403 \`tenant_suspended\`; what is queued stays queued, and runs when it is resumed.`,
  params,
  body: { isRequired: true, schema: tenantChange },
  answers: {
    200: { description: 'The tenant', schema: tenant },
    409: { description: 'It is declared by the configuration, or always active' },
  },
  async handle({ door, caller, request, body }) {
    return json(200, await door.api.changeTenant(caller, slugParam(request), body))
  },
})

const deleteTenant = defineRoute({
  method: 'delete',
  path: '/api/v1/tenants/{slug}',
  tag: 'Tenants',
  summary: 'Delete a tenant with everything of its',
  description: `${needs} It is gone at once, its data within a while. There is no way back.`,
  params,
  query: z.strictObject({ confirm: shortText('The slug once more').optional() }),
  answers: {
    204: { description: 'It is gone' },
    409: { description: 'It is declared by the configuration, or always there' },
  },
  async handle({ door, caller, request, query }) {
    await door.api.deleteTenant(caller, slugParam(request), query.confirm ?? '')
    return empty(204)
  },
})

/** What can't be a slug is simply not found. */
function slugParam(request: HttpRequest): string {
  const slug = request.param('slug')
  if (isShortText(slug)) return slug
  throw tenantNotFound('')
}

export const tenantRoutes: readonly Route[] = [
  listTenants,
  createTenant,
  findTenant,
  changeTenant,
  deleteTenant,
]
