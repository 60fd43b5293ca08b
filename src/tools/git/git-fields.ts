import { z } from 'zod'
import type { ToolLabels } from '../../core/kernel/tool-labels.ts'

/** The folder of a repository. */
export const repositoryField = z
  .string()
  .min(1)
  .max(4096)
  .nullable()
  .describe('The folder of the repository, relative to the workspace; null for its root')

/** A branch, tag or commit. Never an option of git. */
export const revisionField = z
  .string()
  .min(1)
  .max(255)
  .regex(/^[^-\s][^\s]*$/, { error: 'must be a branch, tag or commit' })

/** A branch name as git takes it, such as feature/login. */
export const branchField = z
  .string()
  .min(1)
  .max(200)
  .regex(/^[^-\s~^:?*[\\/.][^\s~^:?*[\\]*$/, { error: 'must be a branch name' })

/** Commits, names and changes are written by everybody who could change the repository. */
export const fromRepository = { reads: ['untrusted'] } as const satisfies ToolLabels
