import { z } from 'zod'
import { workspaceModes } from '../../core/kernel/context/workspace.ts'
import {
  pageLimit,
  pageQuery,
  principal,
  queryFlag,
  shortText,
  time,
} from '../../core/operations/fields.ts'

const mode = z.enum(workspaceModes).meta({
  description:
    'May its files be changed: by nobody, by tools after a person has agreed, or by tools without asking',
})

export const workspace = z
  .object({
    id: z.string(),
    sessionId: z.string().optional().meta({ description: 'The session it belongs to' }),
    agent: z.string().optional().meta({ description: 'The agent that used it first' }),
    principal,
    mode,
    bytes: z.int(),
    files: z.int().meta({ description: 'Files and folders' }),
    maxBytes: z.int(),
    maxFiles: z.int(),
    createdAt: time,
    usedAt: time,
    expiresAt: time.meta({ description: 'It is removed then unless somebody uses it' }),
  })
  .meta({ id: 'Workspace' })

export const workspaceQuery = pageQuery(50, 500, 'ws').extend({
  sessionId: shortText('Only that of this session').optional(),
  agent: shortText('Only those that this agent used first').optional(),
})

export const workspaceChange = z.strictObject({ mode }).meta({ id: 'WorkspaceChange' })

const path = z.string().max(4096)

export const folderQuery = z.strictObject({
  path: path.default('').meta({ description: 'A folder (the root)' }),
  recursive: queryFlag('Include what is in its folders'),
  limit: pageLimit(1000, 20_000),
})

export const fileQuery = z.strictObject({
  path: path.min(1).meta({ description: 'The path of the file in the workspace' }),
  download: z
    .string()
    .max(10)
    .optional()
    .meta({ description: 'Ignored: browsers always save the file' }),
})

export const deleteQuery = z.strictObject({
  path: path.min(1).meta({ description: 'A file, a link or a folder' }),
  recursive: queryFlag('Delete a folder with everything in it'),
})

export const uploadIntoWorkspace = z.strictObject({
  upload: shortText('The id of an upload'),
  path: path.optional().meta({ description: 'Where to put it (its name)' }),
})

export const workspaceEntry = z
  .object({
    path: z.string(),
    kind: z.enum(['file', 'folder', 'link', 'other']),
    bytes: z.int(),
    modifiedAt: time,
  })
  .meta({ id: 'WorkspaceEntry' })

export const workspaceEntries = z.object({
  items: z.array(workspaceEntry),
  isPartial: z.boolean().meta({ description: 'There is more than fits' }),
})

/** An entry of a workspace, with the workspace. */
export const placedFile = workspaceEntry
  .extend({ workspace: z.string().meta({ description: 'The id of the workspace' }) })
  .meta({ id: 'PlacedFile' })

export const attachmentIntoWorkspace = z.strictObject({
  path: path
    .min(1)
    .optional()
    .meta({ description: 'Where to put it (`attachments/` and its name)' }),
})

export const changesQuery = z.strictObject({ limit: pageLimit(200, 1000) })

export const changedFiles = z.object({
  items: z.array(
    z
      .object({
        path: z.string(),
        change: z.enum(['added', 'changed', 'deleted']),
        diff: z
          .string()
          .optional()
          .meta({ description: 'Unified; absent for binary and large files' }),
        isBinary: z.boolean().optional(),
        bytes: z.int(),
        at: time,
      })
      .meta({ id: 'ChangedFile' }),
  ),
  isPartial: z.boolean().meta({ description: 'There is more than fits' }),
})
