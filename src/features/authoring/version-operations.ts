import { ToolError } from '../../core/kernel/errors.ts'
import { pageOf } from '../../core/operations/fields.ts'
import { operationsOf } from '../../core/operations/operation.ts'
import type { AuthoringParts } from './parts.ts'
import { publishDocument, toVersionView } from './publish.ts'
import { readPublished } from './rules.ts'
import {
  publishedAnswer,
  publishRequest,
  toolVersion,
  toolVersionDetail,
  versionQuery,
} from './schemas.ts'

const define = operationsOf<AuthoringParts>('Tools as documents')
const needs = 'tools.author'
const ofTool = { name: 'The name of the tool' }
const ofVersion = { ...ofTool, hash: 'The hash of the version' }

const listToolVersions = define({
  http: 'GET /api/v1/tools/{name}/versions',
  summary: 'List the versions of a tool',
  description: 'The latest first. Removed tools keep theirs.',
  needs,
  agents: 'none',
  params: ofTool,
  unknownAs: 'tool_not_found',
  query: versionQuery,
  answer: { description: 'A page of versions', schema: pageOf(toolVersion) },
  async run({ name, ...query }, { caller, parts }) {
    const page = await parts.versions.list(caller.tenant, { kind: 'tool', name }, query)
    if (page.items.length === 0 && query.after === undefined) throw noVersions(name)
    const inForce = await findInForce(caller.tenant, name, parts)
    return { ...page, items: page.items.map((version) => toVersionView(version, inForce)) }
  },
})

const findToolVersion = define({
  http: 'GET /api/v1/tools/{name}/versions/{hash}',
  summary: 'Read a version of a tool',
  needs,
  agents: 'none',
  params: ofVersion,
  answer: { description: 'The version with its document', schema: toolVersionDetail },
  async run({ name, hash }, { caller, parts }) {
    const version = await findKept(caller.tenant, { name, hash }, parts)
    const { body: document, ...facts } = version
    const inForce = await findInForce(caller.tenant, name, parts)
    return { ...toVersionView(facts, inForce), document }
  },
})

const restoreToolVersion = define({
  http: 'POST /api/v1/tools/{name}/versions/{hash}/restore',
  summary: 'Put an earlier version of a tool in force',
  description:
    'It is checked like any document that is published, because tools that it names may have been removed. A removed tool exists again.',
  needs,
  agents: 'none',
  params: ofVersion,
  body: publishRequest.omit({ revision: true }),
  isBodyOptional: true,
  answer: { description: 'The version in force', schema: publishedAnswer },
  async run({ name, hash, note }, { caller, parts }) {
    const { body: document } = await findKept(caller.tenant, { name, hash }, parts)
    return publishDocument(caller, { document, note, isRestored: true }, parts)
  },
})

/** Everything that can be done with versions of tools, by library method. */
export const toolVersionOperations = { listToolVersions, findToolVersion, restoreToolVersion }

async function findKept(
  tenant: string,
  key: { name: string; hash: string },
  { versions }: AuthoringParts,
) {
  const version = await versions.find(tenant, 'tool', key)
  if (version === undefined) throw versionNotFound(key)
  return version
}

async function findInForce(
  tenant: string,
  name: string,
  { store }: AuthoringParts,
): Promise<string | undefined> {
  const rule = await store.rules.find(tenant, 'tool', name)
  return rule && readPublished(rule)?.hash
}

function noVersions(name: string): ToolError {
  return new ToolError('not_found', `${name.slice(0, 200)} has no versions`, {
    fix: 'Only tools that were published as documents have versions.',
  })
}

function versionNotFound({ name, hash }: { name: string; hash: string }): ToolError {
  return new ToolError('not_found', `${name.slice(0, 200)} has no version ${hash.slice(0, 64)}`, {
    fix: `GET /tools/${name.slice(0, 100)}/versions lists them.`,
  })
}
