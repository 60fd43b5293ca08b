import { z } from 'zod'

/** The permissions that a token needs, by their names at GitHub. */
export const pullRequestPermission = {
  read: 'Pull requests: read',
  write: 'Pull requests: read and write, and Contents: read',
} as const

export const pullRequestSchema = z.object({
  number: z.int(),
  title: z.string(),
  state: z.enum(['open', 'closed', 'merged']),
  isDraft: z.boolean(),
  url: z.string(),
  author: z.string().max(100).nullable(),
  head: z.string().describe('The branch with the changes; owner:branch if it is in a fork'),
  headSha: z.string(),
  base: z.string().describe('The branch that the changes are for'),
  labels: z.array(z.string()),
  assignees: z.array(z.string()),
  requestedReviewers: z.array(z.string()).describe('Logins, and teams with their owner'),
  createdAt: z.string(),
  updatedAt: z.string(),
  closedAt: z.string().max(100).nullable(),
  mergedAt: z.string().max(100).nullable(),
  body: z.string().max(300_000).nullable(),
})

/** With the facts that GitHub leaves out of lists. */
export const pullRequestDetailsSchema = pullRequestSchema.extend({
  mergeable: z.enum(['yes', 'no', 'unknown']).describe('unknown while GitHub works it out'),
  mergeState: z
    .string()
    .describe('In words of GitHub: clean, dirty (conflicts), blocked, behind, unstable, draft …'),
  commits: z.int(),
  additions: z.int(),
  deletions: z.int(),
  changedFiles: z.int(),
  comments: z.int(),
  reviewComments: z.int(),
})

export const changedFileSchema = z.object({
  path: z.string(),
  previousPath: z.string().max(4096).nullable(),
  status: z.string().describe('added, removed, modified, renamed, copied, changed or unchanged'),
  additions: z.int(),
  deletions: z.int(),
  hasDiff: z.boolean().describe('False for binary files, and for those too large for GitHub'),
})

export const reviewSchema = z.object({
  author: z.string().max(100).nullable(),
  state: z.string().describe('APPROVED, CHANGES_REQUESTED, COMMENTED or DISMISSED'),
  isOutdated: z.boolean().describe('Of an earlier commit than the last'),
  submittedAt: z.string(),
  url: z.string(),
  body: z.string(),
})

export const checksSchema = z.object({
  state: z
    .enum(['passing', 'failing', 'pending', 'none', 'unknown'])
    .describe('unknown if not all could be read'),
  count: z.int(),
  items: z
    .array(
      z.object({
        name: z.string(),
        state: z.enum(['passing', 'failing', 'pending']),
        result: z.string().describe('In words of GitHub'),
        url: z.string().max(4096).nullable(),
      }),
    )
    .describe('Failing ones first, fifty at most'),
  note: z.string().max(500).nullable().describe('The parts that could not be read'),
})

export type PullRequest = z.output<typeof pullRequestSchema>
export type PullRequestDetails = z.output<typeof pullRequestDetailsSchema>
export type ChangedFile = z.output<typeof changedFileSchema>
export type PullRequestReview = z.output<typeof reviewSchema>
export type PullRequestChecks = z.output<typeof checksSchema>
