import { z } from 'zod'
import { cutText } from '../network/cut-text.ts'
import { allPages } from './all-pages.ts'
import type { GithubParts } from './ask-github.ts'
import { type PullRequestReview, pullRequestPermission } from './pull-request-facts.ts'
import { listOf, parseAnswer, userAnswer } from './read-issue.ts'

const mostReviews = 50
const mostBodyChars = 2000

const reviewAnswer = z.object({
  user: userAnswer,
  state: z.string(),
  html_url: z.string(),
  commit_id: z.string().nullish(),
  /** Missing while its author still writes it. */
  submitted_at: z.string().nullish(),
  body: z.string().nullish(),
})

/**
 * The last review of each reviewer. A comment does not take an approval back, so it counts only where
 * there is no verdict.
 */
export async function readReviews(
  path: string,
  headSha: string,
  parts: GithubParts,
): Promise<PullRequestReview[]> {
  const request = { path: `${path}/reviews`, permission: pullRequestPermission.read }
  const { items } = await allPages(request, listOf, parts)
  const latest = new Map<string, PullRequestReview>()
  for (const item of items) {
    const review = parseAnswer(reviewAnswer, item)
    if (!review.submitted_at) continue
    const author = review.user?.login ?? null
    const key = author ?? review.html_url
    if (review.state === 'COMMENTED' && latest.has(key) && !isComment(latest.get(key))) continue
    latest.set(key, {
      author,
      state: review.state,
      isOutdated: review.commit_id !== headSha,
      submittedAt: review.submitted_at,
      url: review.html_url,
      body: cutText(review.body ?? '', 0, mostBodyChars).text,
    })
  }
  return [...latest.values()].slice(-mostReviews)
}

function isComment(review: PullRequestReview | undefined): boolean {
  return review?.state === 'COMMENTED'
}
