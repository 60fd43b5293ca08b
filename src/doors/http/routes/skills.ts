import { z } from 'zod'
import { ToolError } from '../../../core/errors.ts'
import { skillBounds } from '../../../core/skills/skill-bounds.ts'
import type { SkillFilePage } from '../../../core/skills/skill-store.ts'
import { skillDetail, skillListing, skillReceipt } from '../describe/skill-schemas.ts'
import { empty, json } from '../reply.ts'
import type { Reply } from '../reply.ts'
import type { HttpRequest } from '../request/http-request.ts'
import { shortText } from '../../../core/operations/fields.ts'
import { count, searchedWords } from '../../../core/operations/query-fields.ts'
import { isShortText } from '../../../core/short-text.ts'
import { readBody } from '../request/request-body.ts'
import { defineRoute } from '../route.ts'
import type { Route } from '../route.ts'
import { agentSkillRoutes } from './agent-skills.ts'

const name = { name: 'The name of the skill' }
const versionQuery = {
  version: shortText('A version, or at least 8 characters of it; the newest without').optional(),
}

const listSkills = defineRoute({
  method: 'get',
  path: '/api/v1/skills',
  tag: 'Skills',
  summary: 'List the skills that are installed',
  query: z.strictObject({
    after: shortText('Page on after this name').optional(),
    q: searchedWords('Words in the name or description'),
    limit: count('How many (100); at most 500').optional(),
  }),
  answers: {
    200: {
      description: 'A page, by name',
      schema: z.object({ items: z.array(skillListing), next: z.string().optional() }),
    },
  },
  async handle({ door, caller, query }) {
    const limit = Math.min(Math.max(1, query.limit ?? 100), 500)
    return json(200, await door.api.listSkills(caller, { ...query, limit }))
  },
})

const installSkill = defineRoute({
  method: 'post',
  path: '/api/v1/skills',
  tag: 'Skills',
  summary: 'Install a skill, or another version of one',
  description: `The body is a zip of a folder with SKILL.md, of at most ${skillBounds.zipBytes} bytes. The same content again changes nothing. Agents keep the version they have.`,
  rawBody: 'application/zip',
  answers: {
    200: { description: 'This content was there already', schema: skillReceipt },
    201: { description: 'It is installed', schema: skillReceipt },
    409: { description: 'Configuration declares the skill' },
    422: { description: 'It is no skill, breaks a bound, or asks for what policy does not know' },
  },
  async handle({ door, caller, request }) {
    checkZipType(request.header('content-type'))
    const zip = await readBody(request, skillBounds.zipBytes)
    const receipt = await door.api.installSkill(caller, zip)
    return json(receipt.isNew ? 201 : 200, receipt)
  },
})

const findSkill = defineRoute({
  method: 'get',
  path: '/api/v1/skills/{name}',
  tag: 'Skills',
  summary: 'Show a skill with its versions, instructions and agents',
  params: name,
  query: z.strictObject(versionQuery),
  answers: { 200: { description: 'The skill', schema: skillDetail } },
  async handle({ door, caller, query, request }) {
    return json(200, await door.api.findSkill(caller, skillParam(request), query))
  },
})

const readFile = defineRoute({
  method: 'get',
  path: '/api/v1/skills/{name}/files/{path}',
  tag: 'Skills',
  summary: 'Read a file of a skill',
  params: { ...name, path: 'The path of the file within the skill' },
  query: z.strictObject(versionQuery),
  answers: {
    200: { description: 'Its bytes', schema: z.string(), types: ['application/octet-stream'] },
  },
  async handle({ door, caller, query, request }) {
    const path = request.param('path') ?? ''
    const file = { ...query, name: skillParam(request), path }
    return fileReply(await door.api.readSkillFile(caller, file))
  },
})

const removeSkill = defineRoute({
  method: 'delete',
  path: '/api/v1/skills/{name}',
  tag: 'Skills',
  summary: 'Remove a skill with all its versions',
  params: name,
  query: z.strictObject({
    force: z.enum(['true', 'false', '']).optional().meta({
      description: 'Also while agents have it: it is taken off them first',
    }),
  }),
  answers: {
    204: { description: 'It is gone' },
    409: { description: 'Agents have it, or configuration declares it' },
  },
  async handle({ door, caller, query, request }) {
    const force = query.force !== undefined && query.force !== 'false'
    await door.api.removeSkill(caller, skillParam(request), { force })
    return empty(204)
  },
})

/** What cannot be a name is simply not found. */
export function skillParam(request: HttpRequest): string {
  const given = request.param('name')
  if (isShortText(given)) return given
  throw new ToolError('not_found', 'There is no such skill')
}

function checkZipType(type: string | undefined): void {
  if (
    type !== undefined &&
    /^application\/(?:zip|x-zip-compressed|octet-stream)\s*(?:;|$)/i.test(type)
  )
    return
  throw new ToolError('unsupported_media_type', 'The body must be a zip file', {
    fix: 'Send the header content-type: application/zip and the bytes of the zip.',
  })
}

/** Somebody else's content: a browser saves it, and runs nothing of it. */
function fileReply({ path, isText, chunk }: SkillFilePage): Reply {
  const fileName = (path.split('/').at(-1) ?? '').replaceAll(/[^\w.-]/g, '_')
  return {
    status: 200,
    type: isText ? 'text/plain; charset=utf-8' : 'application/octet-stream',
    body: new Uint8Array(chunk),
    headers: ['content-disposition', `attachment; filename="${fileName}"`],
    contentSecurityPolicy: "default-src 'none'; frame-ancestors 'none'; sandbox",
  }
}

export const skillRoutes: readonly Route[] = [
  listSkills,
  installSkill,
  findSkill,
  readFile,
  removeSkill,
  ...agentSkillRoutes,
]
