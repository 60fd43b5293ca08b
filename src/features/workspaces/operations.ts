import type { z } from 'zod'
import { pageOf } from '../../core/operations/fields.ts'
import { operationsOf } from '../../core/operations/operation.ts'
import { holds } from '../../core/operations/require-permission.ts'
import { findWorkspaceFor, openFor } from './find-workspace.ts'
import { workspaceNotFound } from './known-workspaces.ts'
import type { WorkspaceOperationParts } from './parts.ts'
import {
  changedFiles,
  changesQuery,
  folderQuery,
  workspace,
  workspaceChange,
  workspaceEntries,
  workspaceQuery,
} from './schemas.ts'
import type { StoredWorkspace } from './workspace-store.ts'

const define = operationsOf<WorkspaceOperationParts>('Workspaces')
const params = { id: 'The id of the workspace' }
const own = 'Your own; with `workspaces.read`, of everybody.'

const listWorkspaces = define({
  http: 'GET /api/v1/workspaces',
  summary: 'List workspaces',
  description: `Newest first. ${own}`,
  needs: 'signed-in',
  agents: 'own',
  query: workspaceQuery,
  answer: { description: 'A page of workspaces', schema: pageOf(workspace) },
  async run(query, { caller, parts }) {
    const { tenant, principal, onBehalfOf, agent } = caller
    const isLimited = !holds(caller, 'workspaces.read')
    const page = await parts.workspaces.store.list(tenant, {
      ...query,
      agent: agent ?? query.agent,
      principal: isLimited ? (onBehalfOf ?? principal) : undefined,
    })
    return { ...page, items: page.items.map((one) => toShown(one, parts)) }
  },
})

const findWorkspace = define({
  http: 'GET /api/v1/workspaces/{id}',
  summary: 'Get a workspace',
  description: own,
  needs: 'signed-in',
  agents: 'own',
  params,
  answer: { description: 'The workspace', schema: workspace },
  run: async ({ id }, { caller, parts }) =>
    toShown(await findWorkspaceFor(parts, caller, id), parts),
})

const changeWorkspace = define({
  http: 'PATCH /api/v1/workspaces/{id}',
  summary: 'Change the mode of a workspace',
  description:
    'It applies to calls that begin a second later, on every server. If it allows less than before, the background processes on this server end.',
  needs: 'workspaces.write',
  agents: 'none',
  params,
  body: workspaceChange,
  answer: { description: 'The workspace', schema: workspace },
  async run({ id, mode }, { caller, parts }) {
    const { workspaces } = parts
    const found = await findWorkspaceFor({ workspaces }, caller, id)
    if (!(await workspaces.setMode(found, mode, caller.principal))) throw workspaceNotFound(id)
    return toShown({ ...found, mode }, parts)
  },
})

const deleteWorkspace = define({
  http: 'DELETE /api/v1/workspaces/{id}',
  summary: 'Delete a workspace with its files',
  description: 'Its session gets an empty one when it next uses files.',
  needs: 'workspaces.write',
  agents: 'none',
  params,
  async run({ id }, { caller, parts: { workspaces } }) {
    const found = await findWorkspaceFor({ workspaces }, caller, id)
    const isDone = await workspaces.remove(found, caller.principal, 'asked')
    if (!isDone) throw workspaceNotFound(id)
  },
})

const listWorkspaceFiles = define({
  http: 'GET /api/v1/workspaces/{id}/files',
  summary: 'List the files of a workspace',
  description: `Each folder before what is in it, by name. ${own}`,
  needs: 'signed-in',
  agents: 'own',
  params,
  query: folderQuery,
  answer: { description: 'Its files and folders', schema: workspaceEntries },
  async run({ id, path, recursive = false, limit }, { caller, parts }) {
    const { files } = await openFor(parts, caller, id)
    const { entries, isPartial } = await files.list(path, { recursive, limit })
    return { items: entries, isPartial }
  },
})

const listWorkspaceChanges = define({
  http: 'GET /api/v1/workspaces/{id}/changes',
  summary: 'Show what has changed in a workspace',
  description: `Since it was created, or since its files were last accepted. Files that people put there do not count. ${own}`,
  needs: 'signed-in',
  agents: 'own',
  params,
  query: changesQuery,
  answer: { description: 'The changed files, by path', schema: changedFiles },
  async run({ id, limit }, { caller, parts }) {
    const { files } = await openFor(parts, caller, id)
    const { changes, isPartial } = await files.changes(limit)
    return { items: changes, isPartial }
  },
})

const acceptWorkspaceChanges = define({
  http: 'POST /api/v1/workspaces/{id}/accept',
  summary: 'Accept the changes in a workspace',
  description: 'Later changes are shown against what its files are now.',
  needs: 'workspaces.write',
  agents: 'none',
  params,
  async run({ id }, { caller, parts }) {
    const { files } = await openFor(parts, caller, id)
    await files.rebase()
  },
})

/** Workspaces as wholes, by library method. */
export const workspaceOperations = {
  listWorkspaces,
  findWorkspace,
  changeWorkspace,
  deleteWorkspace,
  listWorkspaceFiles,
  listWorkspaceChanges,
  acceptWorkspaceChanges,
}

const dayMs = 86_400_000

function toShown(
  found: StoredWorkspace,
  { workspaces, config }: WorkspaceOperationParts,
): z.output<typeof workspace> {
  const { id, sessionId, agent, principal, mode, createdMs, usedMs } = found
  return {
    id,
    ...(sessionId !== undefined && { sessionId }),
    ...(agent !== undefined && { agent }),
    principal,
    mode,
    ...workspaces.sizeOf(found),
    maxBytes: config.maxBytes,
    maxFiles: config.maxFiles,
    createdAt: new Date(createdMs).toISOString(),
    usedAt: new Date(usedMs).toISOString(),
    expiresAt: new Date(usedMs + config.idleDays * dayMs).toISOString(),
  }
}
