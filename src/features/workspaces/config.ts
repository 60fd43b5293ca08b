import { z } from 'zod'
import { workspaceModes } from '../../core/kernel/context/workspace.ts'

const mode = z
  .enum(workspaceModes)
  .describe(
    'May files be changed: by nobody, by tools after a person has agreed, or by tools without asking',
  )

export const workspacesSchema = z
  .strictObject({
    folder: z
      .string()
      .min(1)
      .optional()
      .describe(
        'The folder that holds the files, by default `workspaces` in the data folder. Nodes of one database need the same shared folder',
      ),
    maxBytes: z
      .int()
      .min(65_536)
      .max(1_099_511_627_776)
      .default(536_870_912)
      .describe('The most that one workspace may hold'),
    maxFiles: z
      .int()
      .min(10)
      .max(1_000_000)
      .default(20_000)
      .describe('The most files and folders that one workspace may have'),
    idleDays: z
      .number()
      .min(0.001)
      .max(36_500)
      .default(30)
      .describe('A workspace that nobody has used for so many days is removed'),
    mode: mode.default('free'),
    asks: z
      .array(z.string())
      .default(['group:fs', 'group:runtime', 'group:git'])
      .describe(
        'Tools that change files: they need approval in a workspace that asks. Others may not write there',
      ),
    firstUser: z
      .int()
      .min(1000)
      .max(4_000_000_000)
      .default(70_000)
      .describe('The first user id for files, one per tenant, if the server runs as root'),
  })
  .prefault({})
  .describe('Folders in which tools and agents work')

/** How workspaces are kept. */
export type WorkspacesConfig = Readonly<z.output<typeof workspacesSchema>>
