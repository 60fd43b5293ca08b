import { z } from 'zod'
import { ToolError } from '../../core/kernel/errors.ts'
import type { GithubIssue, GithubComment } from './issue-facts.ts'

/** The parts of GitHub's answers that we read. */
export const userAnswer = z.object({ login: z.string() }).nullish()
export const labelsAnswer = z
  .array(z.union([z.string(), z.object({ name: z.string().nullish() })]))
  .default([])
const issueAnswer = z.object({
  number: z.int(),
  title: z.string(),
  state: z.string(),
  state_reason: z.string().nullish(),
  html_url: z.string(),
  user: userAnswer,
  labels: labelsAnswer,
  assignees: z.array(z.object({ login: z.string() })).nullish(),
  comments: z.int().default(0),
  created_at: z.string(),
  updated_at: z.string(),
  closed_at: z.string().nullish(),
  body: z.string().nullish(),
})
const commentAnswer = z.object({
  id: z.int(),
  html_url: z.string(),
  user: userAnswer,
  created_at: z.string(),
  body: z.string().default(''),
})

/** An issue of GitHub's in our shape. */
export function toIssue(value: unknown): GithubIssue {
  const issue = parseAnswer(issueAnswer, value)
  return {
    number: issue.number,
    title: issue.title,
    state: issue.state,
    stateReason: issue.state_reason ?? null,
    url: issue.html_url,
    author: issue.user?.login ?? null,
    labels: toLabels(issue.labels),
    assignees: (issue.assignees ?? []).map(({ login }) => login),
    comments: issue.comments,
    createdAt: issue.created_at,
    updatedAt: issue.updated_at,
    closedAt: issue.closed_at ?? null,
    body: issue.body ?? null,
  }
}

export function toComment(value: unknown): GithubComment {
  const {
    id,
    html_url: url,
    user: author,
    created_at: createdAt,
    body,
  } = parseAnswer(commentAnswer, value)
  return { id, url, author: author?.login ?? null, createdAt, body }
}

/** A list of GitHub's. */
export function listOf(value: unknown): unknown[] {
  return parseAnswer(z.array(z.unknown()), value)
}

export function toLabels(labels: z.output<typeof labelsAnswer>): string[] {
  return labels.flatMap((label) => (typeof label === 'string' ? label : (label.name ?? [])))
}

/** Throws for an answer of another shape. */
export function parseAnswer<Shape extends z.ZodType>(
  shape: Shape,
  value: unknown,
): z.output<Shape> {
  const parsed = shape.safeParse(value)
  if (parsed.success) return parsed.data
  throw new ToolError('upstream_failed', 'GitHub answered in a shape that is not known', {
    retryable: false,
    fix: 'Check the configured address of the API (github_api_url).',
  })
}
