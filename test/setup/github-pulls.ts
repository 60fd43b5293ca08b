import type { ServerResponse } from 'node:http'
import { z } from 'zod'
import { answerJson, type SeenRequest, serveWeb, type WebServer } from './web-server.ts'

/** The body of a request as GitHub's reference describes it; unknown keys are refused here. */
const createBody = z.strictObject({
  title: z.string().min(1),
  head: z.string().min(1),
  base: z.string().min(1),
  body: z.string().optional(),
  draft: z.literal(true).optional(),
})
const changeBody = z.strictObject({
  title: z.string().min(1).optional(),
  body: z.string().optional(),
  base: z.string().optional(),
  state: z.enum(['open', 'closed']).optional(),
})
const commentBody = z.strictObject({ body: z.string().min(1) })

interface Pull {
  number: number
  title: string
  body: string | null
  state: 'open' | 'closed'
  draft: boolean
  /** With its owner. */
  head: string
  base: string
  mergedAt: string | null
}

export interface PullsServer extends WebServer {
  pulls: Pull[]
  /** Branches that are pushed, with their owners. */
  branches: Set<string>
  files: object[]
  reviews: object[]
  runs: object[]
  statuses: object[]
  /** Ends of the addresses that answer 403. */
  hidden: Set<string>
}

export const headSha = '6dcb09b5b57875f334f61aebed695e2e4193db5e'

/** As much of GitHub as has to do with the pull requests of acme/shop. */
export async function servePulls(): Promise<PullsServer> {
  const state = {
    pulls: [] as Pull[],
    branches: new Set<string>(),
    files: [] as object[],
    reviews: [] as object[],
    runs: [] as object[],
    statuses: [] as object[],
    hidden: new Set<string>(),
  }
  const server = await serveWeb((request, response) => {
    const { headers, url } = request
    if (headers.authorization !== 'Bearer ghp_made_up') {
      return answerJson(response, { message: 'Bad credentials' }, 401)
    }
    const path = url.pathname.replace('/repos/acme/shop', '')
    if ([...state.hidden].some((end) => path.endsWith(end))) {
      const message = 'Resource not accessible by personal access token'
      return answerJson(response, { message }, 403)
    }
    return answer({ state, path, request, response })
  })
  return Object.assign(server, state)
}

interface Asked {
  state: Omit<PullsServer, keyof WebServer>
  path: string
  request: SeenRequest
  response: ServerResponse
}

function answer(asked: Asked): void {
  const { state, path, request } = asked
  const { method, url } = request
  if (path === '/pulls' && method === 'POST') return create(asked)
  if (path === '/pulls') return page(asked, listed(state.pulls, url).map(shown))
  if (path === `/commits/${headSha}/check-runs`) {
    return page(asked, state.runs, (some) => ({ total_count: state.runs.length, check_runs: some }))
  }
  if (path === `/commits/${headSha}/status`) {
    return page(asked, state.statuses, (some) => ({ state: 'pending', statuses: some }))
  }
  answerOne(asked)
}

function answerOne(asked: Asked): void {
  const { state, path, request, response } = asked
  const [, area, number = '', part] = path.split('/')
  const pull = state.pulls.find((one) => String(one.number) === number)
  if (pull === undefined) return answerJson(response, { message: 'Not Found' }, 404)
  if (`${request.method} ${area}/${part}` === 'POST issues/comments') {
    return answerJson(response, comment(commentBody.parse(bodyOf(request)).body), 201)
  }
  if (area !== 'pulls') return answerJson(response, { message: 'Not Found' }, 404)
  if (part === 'files') return page(asked, state.files)
  if (part === 'reviews') return page(asked, state.reviews)
  if (request.method === 'PATCH') Object.assign(pull, changeBody.parse(bodyOf(request)))
  const counts = { commits: 2, additions: 4, deletions: 1, changed_files: state.files.length }
  answerJson(response, {
    ...shown(pull),
    ...counts,
    merged: false,
    mergeable: null,
    mergeable_state: 'unknown',
    comments: 3,
    review_comments: 1,
  })
}

function create({ state, request, response }: Asked): void {
  const given = createBody.parse(bodyOf(request))
  const head = given.head.includes(':') ? given.head : `acme:${given.head}`
  const refuse = (error: object) =>
    answerJson(response, { message: 'Validation Failed', errors: [error] }, 422)
  if (!state.branches.has(head)) {
    return refuse({ resource: 'PullRequest', field: 'head', code: 'invalid' })
  }
  if (state.pulls.some((one) => one.head === head && one.state === 'open')) {
    const message = `A pull request already exists for ${head}.`
    return refuse({ resource: 'PullRequest', code: 'custom', message })
  }
  const { title, body = null, base, draft = false } = given
  const number = state.pulls.length + 1
  const pull: Pull = { number, title, body, state: 'open', draft, head, base, mergedAt: null }
  state.pulls.push(pull)
  answerJson(response, shown(pull), 201)
}

/** A head without its owner is ignored, as at GitHub. */
function listed(pulls: readonly Pull[], { searchParams: query }: URL): Pull[] {
  const wanted = query.get('state') ?? 'open'
  const head = query.get('head')
  const base = query.get('base')
  const found = pulls.filter(
    (one) =>
      (wanted === 'all' || one.state === wanted) &&
      (!head?.includes(':') || one.head === head) &&
      (base === null || one.base === base),
  )
  return query.get('direction') === 'desc' ? found.toReversed() : found
}

function page(
  { request: { url }, response }: Asked,
  items: readonly object[],
  wrap: (some: readonly object[]) => object = (some) => some,
): void {
  const at = Number(url.searchParams.get('page') ?? 1)
  const size = Number(url.searchParams.get('per_page') ?? 30)
  if (at * size < items.length) response.setHeader('link', `<${url.href}>; rel="next"`)
  answerJson(response, wrap(items.slice((at - 1) * size, at * size)))
}

/** With the fields of the reference that are read, and some that are not. */
function shown({ number, title, body, state, draft, head, base, mergedAt }: Pull) {
  const [owner = '', ref = ''] = head.split(':')
  return {
    id: number,
    node_id: 'MDExOlB1bGxSZXF1ZXN0MQ==',
    html_url: `https://github.com/acme/shop/pull/${number}`,
    number,
    state,
    locked: false,
    title,
    body,
    user: { login: 'octocat', id: 1, type: 'User' },
    labels: [{ id: 208045946, name: 'bug', color: 'f29513' }],
    milestone: null,
    created_at: '2011-01-26T19:01:12Z',
    updated_at: '2011-01-26T19:01:12Z',
    closed_at: state === 'closed' ? '2011-01-27T19:01:12Z' : null,
    merged_at: mergedAt,
    assignees: [{ login: 'hubot' }],
    requested_reviewers: [{ login: 'other_user', id: 2 }],
    requested_teams: [{ id: 1, name: 'Justice League', slug: 'justice-league' }],
    head: {
      label: head,
      ref,
      sha: headSha,
      user: { login: owner },
      repo: { full_name: `${owner}/shop` },
    },
    base: {
      label: `acme:${base}`,
      ref: base,
      sha: headSha,
      user: { login: 'acme' },
      repo: { full_name: 'acme/shop' },
    },
    author_association: 'OWNER',
    auto_merge: null,
    draft,
  }
}

function comment(body: string) {
  return {
    id: 1,
    html_url: 'https://github.com/acme/shop/pull/1#issuecomment-1',
    body,
    user: { login: 'octocat' },
    created_at: '2011-04-14T16:00:49Z',
  }
}

function bodyOf({ headers, body }: SeenRequest): unknown {
  if (headers['content-type'] !== 'application/json') throw new Error('not JSON')
  return JSON.parse(body.toString())
}
