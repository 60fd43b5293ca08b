import { z } from 'zod'
import { ToolError } from '../../../core/errors.ts'
import { skillChange, skillPin } from '../describe/skill-schemas.ts'
import { json } from '../reply.ts'
import type { HttpRequest } from '../request/http-request.ts'
import { shortText } from '../../../core/operations/fields.ts'
import { isShortText } from '../../../core/short-text.ts'
import { defineRoute } from '../route.ts'
import type { Route } from '../route.ts'

const slug = { slug: 'The slug of the agent' }
const pin = { ...slug, name: 'The name of the skill' }

const listAgentSkills = defineRoute({
  method: 'get',
  path: '/api/v1/agents/{slug}/skills',
  tag: 'Skills',
  summary: 'List the skills that an agent has',
  params: slug,
  answers: {
    200: { description: 'By name', schema: z.object({ items: z.array(skillPin) }) },
  },
  async handle({ door, caller, request }) {
    const { agent } = pinParams(request)
    return json(200, { items: await door.api.listAgentSkills(caller, agent) })
  },
})

const enableSkill = defineRoute({
  method: 'put',
  path: '/api/v1/agents/{slug}/skills/{name}',
  tag: 'Skills',
  summary: 'Give an agent a skill, or another version of it',
  description:
    'The tools that the skill requires become grants of the agent, held by `skill:<name>`; those of the version before go, unless something else holds them. Going back is the same with an older version.',
  params: pin,
  body: {
    isRequired: false,
    schema: z
      .strictObject({
        version: shortText(
          'A version, or at least 8 characters of it; the newest without',
        ).optional(),
        dryRun: z.boolean().optional().meta({ description: 'Only say what would change' }),
      })
      .meta({ id: 'SkillPinRequest' }),
  },
  answers: { 200: { description: 'What it changed', schema: skillChange } },
  async handle({ door, caller, body, request }) {
    return json(200, await door.api.enableSkill(caller, { ...body, ...pinParams(request) }))
  },
})

const disableSkill = defineRoute({
  method: 'delete',
  path: '/api/v1/agents/{slug}/skills/{name}',
  tag: 'Skills',
  summary: 'Take a skill off an agent',
  params: pin,
  query: z.strictObject({
    dryRun: z.enum(['true', 'false']).optional().meta({
      description: 'Only say what would change',
    }),
  }),
  answers: { 200: { description: 'What it changed', schema: skillChange } },
  async handle({ door, caller, query, request }) {
    const dryRun = query.dryRun === 'true'
    return json(200, await door.api.disableSkill(caller, { ...pinParams(request), dryRun }))
  },
})

function pinParams(request: HttpRequest): { agent: string; name: string } {
  const agent = request.param('slug')
  const name = request.param('name') ?? '-'
  if (isShortText(agent) && isShortText(name)) return { agent, name }
  throw new ToolError('not_found', 'There is no such agent or skill')
}

/** Which agent has which skill. */
export const agentSkillRoutes: readonly Route[] = [listAgentSkills, enableSkill, disableSkill]
