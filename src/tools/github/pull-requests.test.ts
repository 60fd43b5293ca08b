import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { directWeb } from '../../testing/direct-web.ts'
import { runTool } from '../../testing/run-tool.ts'
import { keepArtifacts } from '../../testing/temp-artifacts.ts'
import { changePullRequest } from './change-pull-request.ts'
import { getPullRequest } from './get-pull-request.ts'
import { listPullRequests } from './list-pull-requests.ts'
import { headSha, type PullsServer, servePulls } from '../../../test/setup/github-pulls.ts'

let server: PullsServer
beforeAll(async () => {
  server = await servePulls()
})
afterAll(() => server.close())
beforeEach(() => {
  const { seen, pulls, files, reviews, runs, statuses, branches, hidden } = server
  for (const list of [seen, pulls, files, reviews, runs, statuses]) list.length = 0
  branches.clear()
  branches.add('acme:faster-cart')
  hidden.clear()
})

const kept = keepArtifacts()
const parts = () => ({
  web: directWeb,
  secrets: { github_token: 'ghp_made_up' },
  options: { baseUrl: server.url },
  artifacts: kept,
})
const usual = { number: null, title: null, body: null, head: null, base: null, draft: false }
const change = async (input: object) => {
  const whole = { repository: 'acme/shop', ...usual, ...input }
  return (await runTool<unknown, object>(changePullRequest, whole, parts())).output
}
const create = (more: object = {}) =>
  change({ action: 'create', title: 'Faster', head: 'faster-cart', base: 'main', ...more })
const list = async (more: object = {}) => {
  const input = { state: null, head: null, base: null, sort: null, limit: null, page: null }
  const whole = { repository: 'acme/shop', ...input, ...more }
  return (await runTool(listPullRequests, whole, parts())).output
}
const read = async (more: object = {}) => {
  const input = { repository: 'acme/shop', number: 1, files: null, page: null, ...more }
  return (await runTool(getPullRequest, input, parts())).output
}

test('a pull request is created, changed, commented on, closed and reopened', async () => {
  expect(await create({ body: 'Closes #12.' })).toEqual({
    comment: null,
    pullRequest: {
      number: 1,
      title: 'Faster',
      state: 'open',
      isDraft: false,
      url: 'https://github.com/acme/shop/pull/1',
      author: 'octocat',
      head: 'faster-cart',
      headSha,
      base: 'main',
      labels: ['bug'],
      assignees: ['hubot'],
      requestedReviewers: ['other_user', 'acme/justice-league'],
      createdAt: '2011-01-26T19:01:12Z',
      updatedAt: '2011-01-26T19:01:12Z',
      closedAt: null,
      mergedAt: null,
      body: 'Closes #12.',
    },
  })
  await change({ action: 'update', number: 1, title: 'Fast', body: '' })
  expect(server.pulls[0]).toMatchObject({ title: 'Fast', body: '', base: 'main', state: 'open' })
  expect(await change({ action: 'comment', number: 1, body: 'Done.' })).toMatchObject({
    pullRequest: null,
    comment: { id: 1, body: 'Done.' },
  })
  await change({ action: 'close', number: 1 })
  expect(server.pulls[0]?.state).toBe('closed')
  expect(await change({ action: 'reopen', number: 1 })).toMatchObject({
    pullRequest: { state: 'open' },
  })
})

test('a draft of a fork keeps the owner of its branch', async () => {
  server.branches.add('octocat:patch-1')
  expect(await create({ head: 'octocat:patch-1', draft: true })).toMatchObject({
    pullRequest: { isDraft: true, head: 'octocat:patch-1' },
  })
})

test('a branch that is not pushed, or has a pull request already, is refused with a fix', async () => {
  await expect(create({ head: 'nowhere' })).rejects.toMatchObject({
    code: 'invalid_input',
    issues: [{ path: '/head', message: 'invalid' }],
    fix: expect.stringContaining('pushed branch') as string,
  })
  await create()
  await expect(create()).rejects.toMatchObject({
    code: 'conflict',
    message: 'GitHub refused: A pull request already exists for acme:faster-cart.',
    fix: expect.stringContaining('change it instead') as string,
  })
  expect(server.pulls).toHaveLength(1)
})

test.each([
  [{ action: 'create', title: 'a', head: 'b' }, '/base'],
  [{ action: 'create', title: 'a', base: 'b' }, '/head'],
  [{ action: 'create', head: 'a', base: 'b' }, '/title'],
  [{ action: 'update' }, '/number'],
  [{ action: 'comment', number: 1 }, '/body'],
  [{ action: 'close', number: 1, repository: 'acme/..' }, '/repository'],
])('%j is refused before anything is sent', async (input, path) => {
  await expect(change(input)).rejects.toMatchObject({ code: 'invalid_input', issues: [{ path }] })
  expect(server.seen).toEqual([])
})

test('the error for a token that may not change pull requests names what it needs', async () => {
  server.hidden.add('/pulls')
  await expect(create()).rejects.toMatchObject({
    code: 'upstream_failed',
    retryable: false,
    fix: expect.stringContaining('Pull requests: read and write') as string,
  })
  await expect(read()).rejects.toMatchObject({ code: 'not_found' })
})

test('pull requests are listed by branch and by state, page by page, without their texts', async () => {
  server.branches.add('acme:other')
  await create()
  await create({ head: 'other', base: 'next' })
  const { pullRequests } = await list({ head: 'faster-cart' })
  expect(pullRequests).toMatchObject([{ number: 1, head: 'faster-cart' }])
  expect(pullRequests[0]).not.toHaveProperty('body')
  expect((await list({ base: 'next' })).pullRequests).toMatchObject([{ number: 2 }])
  Object.assign(server.pulls[0]!, { state: 'closed', mergedAt: '2011-01-27T19:01:12Z' })
  expect((await list({ state: 'closed' })).pullRequests).toMatchObject([{ state: 'merged' }])
  const first = await list({ state: 'all', limit: 1 })
  expect(first).toMatchObject({ pullRequests: [{ number: 2 }], nextPage: 2 })
  const second = await list({ state: 'all', limit: 1, page: 2 })
  expect(second).toMatchObject({ pullRequests: [{ number: 1 }], nextPage: null })
})

const file = (filename: string, more: object = {}) => ({
  sha: 'bbcd538c8e72b8c175046e27cc8f907076331401',
  filename,
  status: 'modified',
  additions: 1,
  deletions: 1,
  changes: 2,
  blob_url: 'https://github.com/x',
  patch: '@@ -1 +1 @@\n-old\n+new',
  ...more,
})

test('the diff of a pull request reads as one of git, whatever its files are called', async () => {
  await create()
  const { patch: _patch, ...picture } = file('a.png', { status: 'added' })
  const { patch: _other, ...moved } = file('b.ts', { status: 'renamed', previous_filename: 'a.ts' })
  server.files.push(
    file('src/cart.ts'),
    file('new.ts', { status: 'added', patch: '@@ -0,0 +1 @@\n+new' }),
    file('old.ts', { status: 'removed', patch: '@@ -1 +0,0 @@\n-old' }),
    picture,
    moved,
    file('x\n+++ b/y'),
  )
  const { diff, changedFiles, files, truncated, artifact } = await read()
  expect(diff.split('\n')).toEqual([
    'diff --git a/src/cart.ts b/src/cart.ts',
    '--- a/src/cart.ts',
    '+++ b/src/cart.ts',
    '@@ -1 +1 @@',
    '-old',
    '+new',
    'diff --git a/new.ts b/new.ts',
    'new file mode 100644',
    '--- /dev/null',
    '+++ b/new.ts',
    '@@ -0,0 +1 @@',
    '+new',
    'diff --git a/old.ts b/old.ts',
    'deleted file mode 100644',
    '--- a/old.ts',
    '+++ /dev/null',
    '@@ -1 +0,0 @@',
    '-old',
    'diff --git a/a.png b/a.png',
    'new file mode 100644',
    'diff --git a/a.ts b/b.ts',
    'rename from a.ts',
    'rename to b.ts',
    String.raw`diff --git "a/x\n+++ b/y" "b/x\n+++ b/y"`,
    String.raw`--- "a/x\n+++ b/y"`,
    String.raw`+++ "b/x\n+++ b/y"`,
    '@@ -1 +1 @@',
    '-old',
    '+new',
    '',
  ])
  expect({ files, truncated, artifact }).toEqual({ files: 6, truncated: false, artifact: null })
  expect(changedFiles.map(({ path, hasDiff }) => [path, hasDiff])).toEqual([
    ['src/cart.ts', true],
    ['new.ts', true],
    ['old.ts', true],
    ['a.png', false],
    ['b.ts', false],
    ['x\n+++ b/y', true],
  ])
  expect((await read({ files: ['old.ts'] })).diff).toMatch(/^diff --git a\/old\.ts[^]*-old\n$/)
})

test('a long diff is cut at a line and kept whole, and further files are on the next page', async () => {
  await create()
  const line = `+${'x'.repeat(99)}\n`
  const patch = `@@ -0,0 +1,600 @@\n${line.repeat(600)}`.trimEnd()
  for (let index = 0; index < 51; index += 1) server.files.push(file(`f${index}.ts`, { patch }))
  const first = await read()
  expect(first).toMatchObject({ truncated: true, nextPage: 2, files: 51 })
  expect(first.diff.length).toBeLessThanOrEqual(98_304)
  expect(first.diff.endsWith(line)).toBe(true)
  expect(first.changedFiles).toHaveLength(50)
  const whole = new TextDecoder().decode(kept.saved.at(-1)?.bytes)
  expect(first.artifact).toMatchObject({ mediaType: 'text/x-diff', bytes: whole.length })
  expect(whole.match(/^diff --git/gm)).toHaveLength(50)
  const second = await read({ page: 2 })
  expect(second).toMatchObject({ truncated: false, nextPage: null })
  expect(second.changedFiles.map(({ path }) => path)).toEqual(['f50.ts'])
})

const review = (login: string, state: string, more: object = {}) => ({
  id: 80,
  user: { login },
  body: '',
  state,
  html_url: `https://github.com/acme/shop/pull/1#pullrequestreview-${login}`,
  commit_id: headSha,
  submitted_at: '2019-11-17T17:43:43Z',
  ...more,
})

test('each reviewer counts with the last verdict, which a comment does not take back', async () => {
  await create()
  for (let index = 0; index < 100; index += 1) server.reviews.push(review('chatty', 'COMMENTED'))
  server.reviews.push(
    review('ann', 'CHANGES_REQUESTED', { commit_id: 'older' }),
    review('bob', 'APPROVED', { body: 'x'.repeat(3000) }),
    review('bob', 'COMMENTED'),
    review('ann', 'APPROVED'),
    review('cid', 'APPROVED', { commit_id: 'older' }),
    review('me', 'PENDING', { submitted_at: undefined }),
  )
  const { reviews } = await read()
  expect(reviews.map(({ author, state, isOutdated }) => [author, state, isOutdated])).toEqual([
    ['chatty', 'COMMENTED', false],
    ['ann', 'APPROVED', false],
    ['bob', 'APPROVED', false],
    ['cid', 'APPROVED', true],
  ])
  expect(reviews[2]?.body).toHaveLength(2000)
})

const run = (name: string, status: string, conclusion: string | null = null) => ({
  id: 4,
  head_sha: headSha,
  name,
  status,
  conclusion,
  html_url: `https://github.com/acme/shop/runs/${name}`,
})

test('checks of apps and statuses of services are read as one, failing ones first', async () => {
  await create()
  expect((await read()).checks).toEqual({ state: 'none', count: 0, items: [], note: null })
  for (let index = 0; index < 150; index += 1) {
    server.runs.push(run(`unit-${index}`, 'completed', 'success'))
  }
  expect((await read()).checks).toMatchObject({ state: 'passing', count: 150 })
  server.runs.push(run('deploy', 'in_progress'), run('lint', 'completed', 'skipped'))
  expect((await read()).checks.state).toBe('pending')
  server.statuses.push({ context: 'ci/jenkins', state: 'error', target_url: 'https://ci.test/1' })
  const { checks } = await read()
  expect(checks).toMatchObject({ state: 'failing', count: 153, note: null })
  expect(checks.items).toHaveLength(50)
  expect(checks.items.slice(0, 3)).toEqual([
    { name: 'ci/jenkins', state: 'failing', result: 'error', url: 'https://ci.test/1' },
    {
      name: 'deploy',
      state: 'pending',
      result: 'in_progress',
      url: 'https://github.com/acme/shop/runs/deploy',
    },
    expect.objectContaining({ name: 'unit-0', state: 'passing', result: 'success' }),
  ])
})

test('a token that may not read checks reads the rest, and does not call it passing', async () => {
  await create()
  server.statuses.push({ context: 'ci', state: 'success', target_url: null })
  server.hidden.add('/check-runs')
  expect((await read()).checks).toMatchObject({
    state: 'unknown',
    count: 1,
    note: 'The token may not read check runs.',
  })
  server.hidden.add('/files')
  await expect(read()).rejects.toMatchObject({
    code: 'upstream_failed',
    fix: expect.stringContaining('Pull requests: read') as string,
  })
})
