import { isSamePrincipal } from '../../core/kernel/caller.ts'
import { ToolError } from '../../core/kernel/errors.ts'
import { operationsOf } from '../../core/operations/operation.ts'
import { putAttachment } from './attachments/keep-attachment.ts'
import type { WorkspaceOperationParts } from './parts.ts'
import { attachmentIntoWorkspace, placedFile } from './schemas.ts'

const define = operationsOf<WorkspaceOperationParts>('Workspaces')

const copyAttachmentIntoWorkspace = define({
  http: 'POST /api/v1/conversations/{id}/files/{file}/copy',
  summary: 'Copy a file of a conversation into its workspace',
  description:
    'Of your own conversation. It replaces no other file: a name that is taken gets a number. A conversation without a workspace gets one.',
  needs: { all: ['agents.chat', 'tools.call'] },
  agents: 'own',
  params: { id: 'The id of the conversation', file: 'The id of the file' },
  body: attachmentIntoWorkspace,
  isBodyOptional: true,
  answer: { description: 'The file in the workspace', schema: placedFile },
  async run({ id, file, path }, { caller, parts: { workspaces, conversations } }) {
    const { tenant, principal, agent } = caller
    const found = await conversations.find(tenant, id)
    const isOthers = agent !== undefined && found?.agent !== agent
    if (found === undefined || isOthers || !isSamePrincipal(found.principal, principal)) {
      throw notFound('conversation', id)
    }
    const stored = await conversations.readFile(tenant, id, file)
    if (stored === undefined) throw notFound('file', file)
    // As the agent's own calls are made, so both work in the same one.
    const opened = await workspaces.open({ ...caller, agent: found.agent, sessionId: id })
    return { workspace: opened.id, ...(await putAttachment(opened.files, stored, { path })) }
  },
})

/** Attachments of conversations in workspaces, by library method. */
export const attachmentOperations = { copyAttachmentIntoWorkspace }

function notFound(what: string, id: string): ToolError {
  return new ToolError('not_found', `There is no ${what} ${JSON.stringify(id.slice(0, 100))}`)
}
