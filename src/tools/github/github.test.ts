import type { ServerResponse } from 'node:http'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import {
  answerJson,
  type Answer,
  serveWeb,
  type WebServer,
} from '../../../test/setup/web-server.ts'
import { directWeb } from '../../testing/direct-web.ts'
import { runTool } from '../../testing/run-tool.ts'
import { changeIssue } from './change-issue.ts'
import { getIssue } from './get-issue.ts'
import { listIssues } from './list-issues.ts'

/** As GitHub's documentation shows an issue, with a few of its other fields. */
const issue = (number: number, more: object = {}) => ({
  id: 1000 + number,
  node_id: 'MDU6SXNzdWUx',
  url: `https://api.github.com/repos/acme/shop/issues/${number}`,
  html_url: `https://github.com/acme/shop/issues/${number}`,
  number,
  state: 'open',
  state_reason: null,
  title: 'Found a bug',
  body: "I'm having a problem with this.",
  user: { login: 'octocat', id: 1, type: 'User' },
  labels: [{ id: 208045946, name: 'bug', color: 'f29513', default: true }, 'old'],
  assignee: { login: 'octocat' },
  assignees: [{ login: 'octocat' }],
  locked: false,
  comments: 2,
  closed_at: null,
  created_at: '2011-04-22T13:33:48Z',
  updated_at: '2011-04-22T13:33:48Z',
  ...more,
})
const comment = (id: number, body: string) => ({
  id,
  html_url: `https://github.com/acme/shop/issues/1#issuecomment-${id}`,
  body,
  user: { login: 'hubot' },
  created_at: '2011-04-14T16:00:49Z',
  author_association: 'NONE',
})
const shown = (number: number, more: object = {}) => ({
  number,
  title: 'Found a bug',
  state: 'open',
  stateReason: null,
  url: `https://github.com/acme/shop/issues/${number}`,
  author: 'octocat',
  labels: ['bug', 'old'],
  assignees: ['octocat'],
  comments: 2,
  createdAt: '2011-04-22T13:33:48Z',
  updatedAt: '2011-04-22T13:33:48Z',
  closedAt: null,
  body: "I'm having a problem with this.",
  ...more,
})

let server: WebServer
let refusal: Answer | undefined
beforeAll(async () => {
  server = await serveWeb((request, response) => {
    const { url, method, headers, body } = request
    if (refusal !== undefined) return refusal(request, response)
    if (headers.authorization !== 'Bearer ghp_made_up' || !headers['user-agent']) {
      return answerJson(response, { message: 'Bad credentials' }, 401)
    }
    const given = (body.length > 0 ? JSON.parse(body.toString()) : {}) as Record<string, unknown>
    const [number, rest] = url.pathname.replace(/^.*\/issues\/?/, '').split('/')
    if (rest === 'comments') return answerComments({ method, url, given }, response)
    if (method === 'GET' && number === '') {
      return answerJson(response, [issue(2), issue(3, { pull_request: { url: 'x' } }), issue(1)])
    }
    if (method === 'POST') return answerJson(response, issue(9, given), 201)
    answerJson(response, issue(Number(number), given))
  })
})

function answerComments(
  { method, url, given }: { method: string; url: URL; given: Record<string, unknown> },
  response: ServerResponse,
): void {
  if (method === 'POST') return answerJson(response, comment(3, String(given['body'])), 201)
  const hasNext = url.searchParams.get('page') === '1'
  if (hasNext) response.setHeader('link', `<${url.href}&page=2>; rel="next", <x>; rel="last"`)
  answerJson(response, [comment(1, 'Me too'), comment(2, 'Fixed?')])
}
afterAll(() => server.close())
beforeEach(() => {
  server.seen.length = 0
  refusal = undefined
})

const parts = () => ({
  web: directWeb,
  secrets: { github_token: 'ghp_made_up' },
  options: { baseUrl: `${server.url}/api/v3/` },
})

const change = async (input: object) => {
  const usual = {
    number: null,
    title: null,
    body: null,
    labels: null,
    assignees: null,
    reason: null,
  }
  const whole = { repository: 'acme/shop', ...usual, ...input }
  return (await runTool<unknown, object>(changeIssue, whole, parts())).output
}

test('issues are listed without pull requests and without their texts', async () => {
  const input = { state: null, labels: ['bug', 'a b'], assignee: '*', limit: null, page: null }
  const { output } = await runTool(listIssues, { repository: 'acme/shop', ...input }, parts())
  const { body: _body, ...second } = shown(2)
  expect(output.issues[0]).toEqual(second)
  expect(output.issues.map(({ number }) => number)).toEqual([2, 1])
  expect(output.nextPage).toBeNull()
  const [{ url, headers }] = server.seen as [(typeof server.seen)[0]]
  expect(url.pathname).toBe('/api/v3/repos/acme/shop/issues')
  expect(Object.fromEntries(url.searchParams)).toEqual({
    state: 'open',
    per_page: '20',
    page: '1',
    labels: 'bug,a b',
    assignee: '*',
  })
  expect(headers).toMatchObject({
    accept: 'application/vnd.github+json',
    'x-github-api-version': '2022-11-28',
  })
})

test('an issue is read with its comments, page by page', async () => {
  const read = async (page: number | null) =>
    (await runTool(getIssue, { repository: 'acme/shop', number: 1, page }, parts())).output
  expect(await read(null)).toEqual({
    issue: shown(1),
    comments: [
      {
        id: 1,
        url: 'https://github.com/acme/shop/issues/1#issuecomment-1',
        author: 'hubot',
        createdAt: '2011-04-14T16:00:49Z',
        body: 'Me too',
      },
      expect.objectContaining({ id: 2 }),
    ],
    nextPage: 2,
  })
  expect((await read(2)).nextPage).toBeNull()
})

test('issues are created, changed, closed, reopened and commented on', async () => {
  const asked = () => {
    const { method, url, body } = server.seen.at(-1)!
    return [
      method,
      url.pathname.replace('/api/v3/repos/acme/shop', ''),
      JSON.parse(body.toString()),
    ]
  }
  expect(await change({ action: 'create', title: 'New', labels: ['bug'] })).toMatchObject({
    issue: { number: 9, title: 'New' },
    comment: null,
  })
  expect(asked()).toEqual(['POST', '/issues', { title: 'New', labels: ['bug'] }])
  await change({ action: 'update', number: 4, body: '' })
  expect(asked()).toEqual(['PATCH', '/issues/4', { body: '' }])
  expect(await change({ action: 'close', number: 4, reason: 'not_planned' })).toMatchObject({
    issue: { state: 'closed', stateReason: 'not_planned' },
  })
  expect(asked()).toEqual(['PATCH', '/issues/4', { state: 'closed', state_reason: 'not_planned' }])
  await change({ action: 'reopen', number: 4 })
  expect(asked()).toEqual(['PATCH', '/issues/4', { state: 'open' }])
  expect(await change({ action: 'comment', number: 4, body: 'Done.' })).toMatchObject({
    issue: null,
    comment: { id: 3, body: 'Done.' },
  })
  expect(asked()).toEqual(['POST', '/issues/4/comments', { body: 'Done.' }])
})

test.each([
  [{ action: 'create' }, '/title'],
  [{ action: 'close' }, '/number'],
  [{ action: 'comment', number: 1 }, '/body'],
  [{ action: 'create', title: 'a', repository: 'acme/shop/../x' }, '/repository'],
])('%j is refused before anything is sent', async (input, path) => {
  await expect(change(input)).rejects.toMatchObject({ code: 'invalid_input', issues: [{ path }] })
  expect(server.seen).toEqual([])
})

test('refusals of GitHub have codes and fixes', async () => {
  const refuse = async (status: number, value: object, headers: Record<string, string> = {}) => {
    refusal = (_request, response) => {
      for (const [name, header] of Object.entries(headers)) response.setHeader(name, header)
      answerJson(response, value, status)
    }
    return change({ action: 'create', title: 'New' }).catch((error: unknown) => error as Error)
  }
  expect(await refuse(401, { message: 'Bad credentials' })).toMatchObject({
    code: 'upstream_failed',
    retryable: false,
    message: 'GitHub answered 401: Bad credentials',
    fix: expect.stringContaining('github_token') as string,
  })
  expect(await refuse(403, { message: 'Resource not accessible' })).toMatchObject({
    code: 'upstream_failed',
    fix: expect.stringContaining('Issues: read and write') as string,
  })
  const limited = { 'x-ratelimit-remaining': '0', 'x-ratelimit-reset': '1767225660' }
  const date = 'Thu, 01 Jan 2026 00:00:00 GMT'
  expect(
    await refuse(403, { message: 'API rate limit exceeded' }, { ...limited, date }),
  ).toMatchObject({
    code: 'rate_limited',
    retryable: true,
    details: { retryAfterMs: 60_000 },
  })
  expect(await refuse(429, {}, { 'retry-after': '5' })).toMatchObject({
    code: 'rate_limited',
    details: { retryAfterMs: 5000 },
  })
  expect(await refuse(404, { message: 'Not Found' })).toMatchObject({ code: 'not_found' })
  expect(await refuse(410, { message: 'Issues are disabled for this repo' })).toMatchObject({
    code: 'upstream_failed',
    message: 'GitHub refused: Issues are disabled for this repo',
  })
  const errors = [{ resource: 'Issue', field: 'title', code: 'missing_field' }]
  expect(await refuse(422, { message: 'Validation Failed', errors })).toMatchObject({
    code: 'invalid_input',
    issues: [{ path: '/title', message: 'missing_field' }],
  })
  expect(await refuse(502, { message: 'Server Error' })).toMatchObject({
    code: 'upstream_failed',
    retryable: false,
    fix: expect.stringContaining('look before') as string,
  })
  expect(
    await refuse(301, {}, { location: 'https://api.github.com/repositories/1' }),
  ).toMatchObject({
    code: 'not_found',
    message: 'The repository has moved',
  })
  expect(await refuse(200, [1])).toMatchObject({ code: 'upstream_failed' })
})

test('a failed read of GitHub may be tried again', async () => {
  refusal = (_request, response) => answerJson(response, { message: 'Server Error' }, 500)
  const input = { repository: 'acme/shop', number: 1, page: null }
  await expect(runTool(getIssue, input, parts())).rejects.toMatchObject({ retryable: true })
})

test('a tenant can have a server of its own', async () => {
  const secrets = { github_token: 'ghp_made_up', github_api_url: `${server.url}/api/v3` }
  const input = { repository: 'acme/shop', number: 1, page: null }
  await runTool(getIssue, input, { web: directWeb, secrets })
  expect(server.seen[0]?.url.pathname).toBe('/api/v3/repos/acme/shop/issues/1')
})
