import { z } from 'zod'
import { ToolError } from '../../../core/kernel/errors.ts'
import { askOperation } from '../../../features/ask-operation.ts'
import { skillOperations } from '../../../features/skills/operations.ts'
import { skillReceipt, versionQuery } from '../../../features/skills/schemas.ts'
import { skillBounds } from '../../../features/skills/model.ts'
import type { SkillFilePage } from '../../../features/skills/skill-store.ts'
import { json } from '../reply.ts'
import type { Reply } from '../reply.ts'
import { readBody } from '../request/request-body.ts'
import { defineRoute } from '../route.ts'
import type { Route } from '../route.ts'

const installSkill = defineRoute({
  method: 'post',
  path: '/api/v1/skills',
  tag: 'Skills',
  summary: skillOperations.installSkill.summary,
  description: `The body is a zip of a folder with SKILL.md, of at most ${skillBounds.zipBytes} bytes. Installing the same content again changes nothing. Agents keep the version they have. Needs \`skills.manage\`.`,
  rawBody: 'application/zip',
  answers: {
    200: { description: 'This content was already installed', schema: skillReceipt },
    201: { description: 'Installed', schema: skillReceipt },
    409: { description: 'The configuration declares the skill' },
    422: { description: 'It is not a skill, exceeds a limit, or names unknown groups or profiles' },
  },
  async handle({ door, caller, request }) {
    checkZipType(request.header('content-type'))
    const zip = await readBody(request, skillBounds.zipBytes)
    const receipt = await askOperation({ api: door.api, caller }, 'installSkill', { zip })
    return json(receipt.isNew ? 201 : 200, receipt)
  },
})

const readFile = defineRoute({
  method: 'get',
  path: '/api/v1/skills/{name}/files/{path}',
  tag: 'Skills',
  summary: 'Read a file of a skill',
  params: { name: 'The name of the skill', path: 'The path of the file within the skill' },
  query: versionQuery,
  answers: {
    200: { description: 'Its bytes', schema: z.string(), types: ['application/octet-stream'] },
  },
  async handle({ door, caller, query, request }) {
    const page = await askOperation({ api: door.api, caller }, 'readSkillFile', {
      ...query,
      name: request.param('name') ?? '',
      path: request.param('path') ?? '',
    })
    return fileReply(page)
  },
})

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

/** Untrusted content: a browser saves it and runs none of it. */
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

/** The routes of skills that take or give bytes. */
export const skillRoutes: readonly Route[] = [installSkill, readFile]
