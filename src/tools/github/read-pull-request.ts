import { z } from 'zod'
import type { PullRequest, PullRequestDetails } from './pull-request-facts.ts'
import { labelsAnswer, parseAnswer, toLabels, userAnswer } from './read-issue.ts'

const branch = z.object({
  ref: z.string(),
  sha: z.string(),
  user: userAnswer,
  /** Null when the fork has been deleted. */
  repo: z.object({ full_name: z.string() }).nullish(),
})
const pullRequestAnswer = z.object({
  number: z.int(),
  title: z.string(),
  state: z.enum(['open', 'closed']),
  draft: z.boolean().default(false),
  html_url: z.string(),
  user: userAnswer,
  head: branch,
  base: branch,
  labels: labelsAnswer,
  assignees: z.array(z.object({ login: z.string() })).nullish(),
  requested_reviewers: z.array(z.object({ login: z.string() })).nullish(),
  requested_teams: z.array(z.object({ slug: z.string() })).nullish(),
  created_at: z.string(),
  updated_at: z.string(),
  closed_at: z.string().nullish(),
  merged_at: z.string().nullish(),
  body: z.string().nullish(),
})
const detailsAnswer = pullRequestAnswer.extend({
  mergeable: z.boolean().nullish(),
  mergeable_state: z.string().default('unknown'),
  commits: z.int().default(0),
  additions: z.int().default(0),
  deletions: z.int().default(0),
  changed_files: z.int().default(0),
  comments: z.int().default(0),
  review_comments: z.int().default(0),
})

/** A pull request of GitHub's in our shape. */
export function toPullRequest(value: unknown): PullRequest {
  return inOurShape(parseAnswer(pullRequestAnswer, value))
}

export function toPullRequestDetails(value: unknown): PullRequestDetails {
  const answer = parseAnswer(detailsAnswer, value)
  const { mergeable, commits, additions, deletions, comments } = answer
  return {
    ...inOurShape(answer),
    mergeable: typeof mergeable === 'boolean' ? (mergeable ? 'yes' : 'no') : 'unknown',
    mergeState: answer.mergeable_state,
    commits,
    additions,
    deletions,
    changedFiles: answer.changed_files,
    comments,
    reviewComments: answer.review_comments,
  }
}

function inOurShape(answer: z.output<typeof pullRequestAnswer>): PullRequest {
  const { number, title, labels, assignees, head, base } = answer
  return {
    number,
    title,
    state: answer.merged_at ? 'merged' : answer.state,
    isDraft: answer.draft,
    url: answer.html_url,
    author: answer.user?.login ?? null,
    head: toHead(answer),
    headSha: head.sha,
    base: base.ref,
    labels: toLabels(labels),
    assignees: (assignees ?? []).map(({ login }) => login),
    requestedReviewers: requestedOf(answer),
    createdAt: answer.created_at,
    updatedAt: answer.updated_at,
    closedAt: answer.closed_at ?? null,
    mergedAt: answer.merged_at ?? null,
    body: answer.body ?? null,
  }
}

/** As it is given to create one. */
function toHead({ head, base }: z.output<typeof pullRequestAnswer>): string {
  const isOfFork = head.repo?.full_name !== base.repo?.full_name
  return isOfFork ? `${head.user?.login ?? 'unknown'}:${head.ref}` : head.ref
}

function requestedOf(answer: z.output<typeof pullRequestAnswer>): string[] {
  const owner = answer.base.user?.login ?? ''
  return [
    ...(answer.requested_reviewers ?? []).map(({ login }) => login),
    ...(answer.requested_teams ?? []).map(({ slug }) => `${owner}/${slug}`),
  ]
}
