import { z } from 'zod'
import { ToolError } from '../../core/kernel/errors.ts'
import { allPages } from './all-pages.ts'
import type { GithubParts } from './ask-github.ts'
import type { PullRequestChecks } from './pull-request-facts.ts'
import { parseAnswer } from './read-issue.ts'

const mostChecks = 50

const runAnswer = z.object({
  name: z.string(),
  status: z.string(),
  conclusion: z.string().nullish(),
  html_url: z.string().nullish(),
})
const statusAnswer = z.object({
  context: z.string(),
  state: z.string(),
  target_url: z.string().nullish(),
})

type Check = PullRequestChecks['items'][number]
interface Found {
  checks: Check[]
  /** Why not all are here. */
  missing?: string
}

/**
 * The checks of a commit: check runs of apps, and statuses of other services. A token that may read
 * pull requests may still not read these, which is noted and no failure.
 */
export async function readChecks(
  repository: string,
  sha: string,
  parts: GithubParts,
): Promise<PullRequestChecks> {
  const commit = `/repos/${repository}/commits/${encodeURIComponent(sha)}`
  const [runs, statuses] = await Promise.all([
    find('check runs', { path: `${commit}/check-runs`, toChecks: toRuns }, parts),
    find('commit statuses', { path: `${commit}/status`, toChecks: toStatuses }, parts),
  ])
  const order: Check['state'][] = ['failing', 'pending', 'passing']
  const all = order.flatMap((state) =>
    [...runs.checks, ...statuses.checks].filter((check) => check.state === state),
  )
  const missing = [runs.missing, statuses.missing].filter((one) => one !== undefined)
  return {
    state: stateOf(all, missing.length > 0),
    count: all.length,
    items: all.slice(0, mostChecks),
    note: missing.length > 0 ? missing.join(' ') : null,
  }
}

function stateOf(checks: readonly Check[], isPart: boolean): PullRequestChecks['state'] {
  const worst = checks[0]?.state
  if (worst === 'failing') return 'failing'
  return isPart ? 'unknown' : (worst ?? 'none')
}

async function find(
  what: string,
  { path, toChecks }: { path: string; toChecks: (value: unknown) => Check[] },
  parts: GithubParts,
): Promise<Found> {
  try {
    const { items, hasMore } = await allPages({ path }, toChecks, parts)
    const checks = items as Check[]
    return hasMore ? { checks, missing: `There are more ${what} than could be read.` } : { checks }
  } catch (error) {
    if (!isHidden(error)) throw error
    return { checks: [], missing: `The token may not read ${what}.` }
  }
}

function isHidden(error: unknown): boolean {
  if (!(error instanceof ToolError)) return false
  return error.code === 'not_found' || Object(error.details)['status'] === 403
}

function toRuns(value: unknown): Check[] {
  const { check_runs: runs } = parseAnswer(z.object({ check_runs: z.array(runAnswer) }), value)
  return runs.map(({ name, status, conclusion, html_url: url }) => ({
    name,
    state: status === 'completed' ? verdictOf(conclusion ?? '') : 'pending',
    result: conclusion ?? status,
    url: url ?? null,
  }))
}

/** GitHub merges with runs that were skipped or have no verdict. */
function verdictOf(conclusion: string): Check['state'] {
  return ['success', 'neutral', 'skipped'].includes(conclusion) ? 'passing' : 'failing'
}

function toStatuses(value: unknown): Check[] {
  const shape = z.object({ statuses: z.array(statusAnswer) })
  return parseAnswer(shape, value).statuses.map(({ context, state, target_url: url }) => ({
    name: context,
    state: state === 'success' ? 'passing' : state === 'pending' ? 'pending' : 'failing',
    result: state,
    url: url ?? null,
  }))
}
