import { randomBytes } from 'node:crypto'
import { readFileSync, writeFileSync } from 'node:fs'
import { mkdir, readdir } from 'node:fs/promises'
import path from 'node:path'
import { expect, test } from 'vitest'
import { openNetwork } from '../../host/network/open-network.ts'
import { aContext } from '../../testing/a-context.ts'
import { startsProcesses } from '../../testing/temp-processes.ts'
import { cloneRepository } from './clone-repository.ts'
import { commitChanges } from './commit-changes.ts'
import { diffChanges } from './diff-changes.ts'
import { logCommits } from './log-commits.ts'
import { pushCommits } from './push-commits.ts'
import { repositoryStatus } from './repository-status.ts'
import { switchBranch } from './switch-branch.ts'
import { useGitScene } from './testing/git-scene.ts'
import { addRepository, gitIn, startGitServer } from './testing/git-server.ts'

const files = { 'README.md': '# App\n', 'src/main.js': "console.log('hello')\n" }

const scene = useGitScene('team/app.git', files)
const { run, token, url, web } = scene
const clone = (wish: object = {}, more: object = {}) =>
  run(cloneRepository, { url: url(), path: null, branch: null, depth: null, ...wish }, more)
const push = (branch: string, more: object = {}, to = url()) =>
  run(pushCommits, { url: to, path: 'app', branch }, more)
const commit = (message: string, more: object = {}) =>
  run(commitChanges, {
    path: 'app',
    message,
    files: null,
    authorName: null,
    authorEmail: null,
    ...more,
  })
const change = (file: string, text: string) =>
  writeFileSync(path.join(scene.workspace.folder, 'app', file), text)

test('the preview of a push shows the commits that it would send', async () => {
  const { preview } = pushCommits
  if (typeof preview !== 'function') throw new Error('git.push has no preview')
  const context = aContext({ processes: startsProcesses(scene.workspace.folder) })
  const show = () => preview({ url: url(), path: 'app', branch: 'main' }, context)
  await clone()
  expect((await show()).changes).toHaveLength(1)
  change('README.md', '# Changed\n')
  await commit('Change the title')
  const short = expect.stringMatching(/^[0-9a-f]{12}$/) as string
  expect(await show()).toEqual({
    summary: `Pushes 1 commit to main of ${url()}.`,
    count: 2,
    changes: [
      { target: `main on ${url()}`, before: short, after: short },
      { target: short, after: expect.stringContaining('Change the title') as string },
    ],
  })
})

test('a repository is cloned, changed, committed on a branch with a slash, and pushed', async () => {
  const cloned = await clone()
  expect(cloned).toEqual({
    path: 'app',
    url: url(),
    branch: 'main',
    commit: gitIn(path.join(scene.server.folder, 'team/app.git'), 'rev-parse', 'main').trim(),
  })
  change('src/main.js', "console.log('hello, world')\n")
  change('new file.txt', 'new\n')
  const { branch, branches } = await run(switchBranch, {
    path: 'app',
    name: 'feature/greeting',
    create: true,
  })
  expect([branch, branches.toSorted()]).toEqual(['feature/greeting', ['feature/greeting', 'main']])
  expect(await run(repositoryStatus, { path: 'app' })).toEqual({
    branch: 'feature/greeting',
    commit: cloned.commit,
    upstream: null,
    ahead: null,
    behind: null,
    isClean: false,
    isPartial: false,
    changes: [
      { path: 'src/main.js', from: null, staged: null, unstaged: 'modified' },
      { path: 'new file.txt', from: null, staged: null, unstaged: 'untracked' },
    ],
  })
  const nothing = { staged: false, from: null, to: null, files: null }
  const shown = await run(diffChanges, { path: 'app', ...nothing })
  expect(shown).toMatchObject({ files: 1, truncated: false, artifact: null })
  expect(shown.diff).toContain("-console.log('hello')\n+console.log('hello, world')\n")
  expect(await commit('Greet the world\n\nBecause.')).toEqual({
    commit: expect.stringMatching(/^[0-9a-f]{40}$/),
    branch: 'feature/greeting',
    subject: 'Greet the world',
    files: 2,
    added: 2,
    removed: 1,
  })
  expect(await push('feature/greeting')).toMatchObject({ result: 'created', url: url() })
  expect(scene.server.git('team/app.git', 'log', '--format=%an %s', 'feature/greeting')).toBe(
    'Toolcrib Greet the world\nAda First commit\n',
  )
  expect(await run(repositoryStatus, { path: 'app' })).toMatchObject({
    upstream: 'origin/feature/greeting',
    ahead: 0,
    isClean: true,
  })
  expect(await push('feature/greeting')).toMatchObject({ result: 'up to date' })
})

test('the token is in no file of the workspace, nor in any environment or argument of git', async () => {
  const seen: string[] = []
  const processes = startsProcesses(scene.workspace.folder)
  const watched = {
    ...processes,
    run: (request: Parameters<typeof processes.run>[0]) => {
      seen.push(JSON.stringify([request.command, request.env]))
      return processes.run(request)
    },
  }
  await clone({}, { processes: watched })
  change('README.md', '# Changed\n')
  await commit('Change')
  await push('main', { processes: watched })
  expect(scene.server.requests.some((line) => line.endsWith(' x-access-token'))).toBe(true)
  const basic = Buffer.from(`x-access-token:${token}`).toString('base64')
  const texts = [...seen, ...(await allTexts(scene.workspace.folder))]
  expect(texts.filter((text) => text.includes(token) || text.includes(basic))).toEqual([])
  expect(texts.some((text) => text.includes(url()))).toBe(true)
  expect(texts.slice(seen.length).filter((text) => text.includes('git.internal'))).toEqual([])
})

async function allTexts(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  return entries
    .filter((entry) => entry.isFile())
    .map((entry) => readFileSync(path.join(entry.parentPath, entry.name), 'latin1'))
}

test('a token goes to the server it was set for, and to no other', async () => {
  await using other = await startGitServer({ user: 'x-access-token', token, isPublic: true })
  await addRepository(other, 'app.git', files)
  await clone({ url: `${other.origin}/app.git` })
  expect(other.requests.every((line) => line.endsWith(' '))).toBe(true)
  await expect(push('main', {}, `${other.origin}/app.git`)).rejects.toMatchObject({
    code: 'upstream_failed',
    message: `The repository can't be pushed to: there is no token for ${new URL(other.origin).host}`,
  })
})

test('a wrong token, a missing repository and a missing token are told apart', async () => {
  const wrong = { secrets: { git_token: 'wrong', git_host: scene.server.origin } }
  await expect(clone({}, wrong)).rejects.toMatchObject({
    message: "The repository can't be read: the token is refused",
  })
  await expect(clone({}, { secrets: {} })).rejects.toMatchObject({
    message: expect.stringContaining('there is no token for 127.0.0.1'),
    fix: 'Set the secret git_token, and git_host if the server is not github.com.',
  })
  await expect(clone({ url: url('team/none.git') })).rejects.toMatchObject({ code: 'not_found' })
  expect(await readdir(scene.workspace.folder)).toEqual([])
})

test('a folder that exists is not cloned into', async () => {
  await clone()
  await expect(clone()).rejects.toMatchObject({ code: 'conflict' })
  expect((await clone({ path: 'second/app', depth: 1 })).path).toBe('second/app')
})

test('the history is listed, also of one file', async () => {
  await clone()
  change('README.md', '# Two\n')
  await commit('Second\n\nWith more text')
  const log = async (file: string | null, from: string | null = null) =>
    (await run(logCommits, { path: 'app', from, file, limit: null })).commits
  expect((await log(null)).map(({ subject }) => subject)).toEqual(['Second', 'First commit'])
  expect((await log(null))[1]).toMatchObject({ author: 'Ada', email: 'ada@example.com' })
  expect((await log('src/main.js')).map(({ subject }) => subject)).toEqual(['First commit'])
  expect(await log(null, 'HEAD~1')).toHaveLength(1)
  await expect(log(null, '--output=/tmp/x')).rejects.toMatchObject({ code: 'invalid_input' })
})

test('a clone without history can be pushed from', async () => {
  await clone()
  change('README.md', '# Two\n')
  await commit('Second')
  await push('main')
  await scene.workspace.delete('app', { recursive: true })
  await clone({ depth: 1 })
  change('README.md', '# Three\n')
  await commit('Third')
  expect(await push('main')).toMatchObject({ result: 'updated' })
  expect(scene.server.git('team/app.git', 'rev-list', '--count', 'main')).toBe('3\n')
})

test('a push and a clone of many megabytes pass through', async () => {
  await clone()
  const bytes = randomBytes(8_000_000)
  writeFileSync(path.join(scene.workspace.folder, 'app/large.bin'), bytes)
  await commit('Add a large file')
  expect(await push('main')).toMatchObject({ result: 'updated' })
  await clone({ path: 'again' })
  const copy = readFileSync(path.join(scene.workspace.folder, 'again/large.bin'))
  expect(copy.equals(bytes)).toBe(true)
})

test('a push never overwrites commits that others have pushed', async () => {
  await clone()
  await clone({ path: 'other' })
  writeFileSync(path.join(scene.workspace.folder, 'other/README.md'), '# Other\n')
  await commit('Theirs', { path: 'other' })
  await run(pushCommits, { url: url(), path: 'other', branch: 'main' })
  change('README.md', '# Mine\n')
  await commit('Mine')
  await expect(push('main')).rejects.toMatchObject({
    code: 'conflict',
    message: 'The server has commits on main that are not here',
  })
})

test('settings of a repository cannot send a push elsewhere', async () => {
  await using evil = await startGitServer({ user: 'x-access-token', token, isPublic: true })
  await addRepository(evil, 'app.git', files)
  await clone()
  const config = path.join(scene.workspace.folder, 'app/.git/config')
  const rules = ['http://', 'http://git.internal/', url()].map(
    (prefix) =>
      `[url "${evil.origin}/app.git"]\n\tinsteadOf = ${prefix}\n\tpushInsteadOf = ${prefix}\n`,
  )
  const proxy = `[http]\n\tproxy = ${evil.origin}\n\textraHeader = X-Evil: 1\n`
  writeFileSync(config, `${readFileSync(config, 'utf8')}${rules.join('')}${proxy}`)
  change('README.md', '# Two\n')
  await commit('Second')
  expect(await push('main')).toMatchObject({ result: 'updated' })
  expect(evil.requests).toEqual([])
  expect(scene.server.git('team/app.git', 'log', '-1', '--format=%s', 'main')).toBe('Second\n')
})

test('programs named in the settings of a repository are not run by git where they can be kept off', async () => {
  await clone()
  const marker = path.join(scene.workspace.folder, 'ran')
  const touch = (name: string) => `touch ${marker}-${name}`
  const folder = path.join(scene.workspace.folder, 'app')
  const settings: [string, string][] = [
    ['core.fsmonitor', touch('fsmonitor')],
    ['core.hooksPath', path.join(folder, 'hooks')],
    ['core.pager', touch('pager')],
    ['pager.log', touch('pager')],
    ['core.editor', touch('editor')],
    ['core.sshCommand', touch('ssh')],
    ['credential.helper', `!${touch('helper')}`],
    ['diff.external', touch('external')],
    ['diff.x.textconv', touch('textconv')],
    ['diff.x.command', touch('command')],
    ['gpg.program', touch('gpg')],
    ['commit.gpgSign', 'true'],
    ['log.showSignature', 'true'],
    ['alias.status', `!${touch('alias')}`],
  ]
  for (const [name, value] of settings) gitIn(folder, 'config', name, value)
  await mkdir(path.join(folder, 'hooks'))
  for (const hook of ['pre-commit', 'post-commit', 'post-checkout', 'commit-msg', 'pre-push']) {
    const file = path.join(folder, 'hooks', hook)
    writeFileSync(file, `#!/bin/sh\n${touch('hook')}\n`, { mode: 0o755 })
  }
  change('.gitattributes', '*.md diff=x\n')
  change('README.md', '# Two\n')
  await run(repositoryStatus, { path: 'app' })
  await run(diffChanges, { path: 'app', staged: false, from: 'HEAD', to: null, files: null })
  await commit('Second')
  await run(logCommits, { path: 'app', from: null, file: null, limit: null })
  await run(switchBranch, { path: 'app', name: 'other', create: true })
  await push('main')
  expect((await readdir(scene.workspace.folder)).toSorted()).toEqual(['app'])
})

test('a commit needs a change, and takes only the files it is given', async () => {
  await clone()
  await expect(commit('Nothing')).rejects.toMatchObject({ code: 'conflict' })
  change('README.md', '# Two\n')
  change('-b', 'dash\n')
  const made = await commit('One', {
    files: ['-b'],
    authorName: 'Bo',
    authorEmail: 'bo@example.com',
  })
  expect(made).toMatchObject({ files: 1, added: 1 })
  expect(gitIn(path.join(scene.workspace.folder, 'app'), 'log', '-1', '--format=%an %ae %cn')).toBe(
    'Bo bo@example.com Bo\n',
  )
  expect((await run(repositoryStatus, { path: 'app' })).changes).toHaveLength(1)
  await expect(commit('Two', { files: ['*.md'] })).rejects.toMatchObject({ code: 'tool_failed' })
})

test('a folder outside of a repository, and a repository without commits, are reported', async () => {
  await mkdir(path.join(scene.workspace.folder, 'plain'))
  await expect(run(repositoryStatus, { path: 'plain' })).rejects.toMatchObject({
    code: 'not_found',
    message: 'There is no git repository in this folder',
  })
  gitIn(
    path.join(scene.server.folder),
    'init',
    '--quiet',
    '--bare',
    '--initial-branch=main',
    'empty.git',
  )
  const empty = await clone({ url: url('empty.git'), path: 'empty' })
  expect([empty.commit, empty.branch]).toEqual([null, 'main'])
  expect(await run(repositoryStatus, { path: 'empty' })).toMatchObject({ commit: null })
  await expect(
    run(pushCommits, { url: url(), path: 'empty', branch: 'main' }),
  ).rejects.toMatchObject({ code: 'not_found' })
})

test.each([
  ['file:///etc', 'is not an http or https address'],
  ['git@github.com:a/b.git', 'is not an http or https address'],
  ['ext::sh -c touch% x', 'is not an http or https address'],
  ['https://user:pass@github.com/a/b', 'contains a user or a password'],
  ['https://github.com/', 'names no repository'],
  ['https://github.com/a/b?x=1', 'has more than a path'],
])('the address %s is refused', async (address, fault) => {
  await expect(clone({ url: address })).rejects.toMatchObject({
    code: 'invalid_input',
    message: `The address of the repository ${fault}`,
  })
})

const few = { options: { timeoutSeconds: 3, maxMegabytes: 1 } }

test('a server that redirects is not followed', async () => {
  scene.server.intercept = (_, response) => {
    response.writeHead(302, { location: 'http://169.254.169.254/app.git/info/refs' }).end()
    return true
  }
  await expect(clone()).rejects.toMatchObject({
    code: 'upstream_failed',
    message: 'The repository has moved to http://169.254.169.254/app.git',
  })
  expect(scene.server.requests).toHaveLength(1)
})

test('a server that never answers ends the clone in time', async () => {
  scene.server.intercept = () => true
  const started = performance.now()
  await expect(clone({}, few)).rejects.toMatchObject({
    code: expect.stringMatching(/^(?:timeout|upstream_failed)$/),
  })
  expect(performance.now() - started).toBeLessThan(15_000)
  expect(await readdir(scene.workspace.folder)).toEqual([])
})

test.each([
  ['text', () => 'this is not git'],
  ['nothing', () => ''],
  ['a broken list of refs', () => '001e# service=git-upload-pack\n0000ffffgarbage'],
])('a server that answers %s fails the clone with a reason', async (_, body) => {
  scene.server.intercept = (_, response) => {
    const type = 'application/x-git-upload-pack-advertisement'
    response.writeHead(200, { 'content-type': type }).end(body())
    return true
  }
  await expect(clone()).rejects.toMatchObject({
    code: 'tool_failed',
    message: expect.stringMatching(/^git clone failed: ./),
  })
  expect(await readdir(scene.workspace.folder)).toEqual([])
})

test('a server that sends without end is cut off', async () => {
  scene.server.intercept = (_, response) => {
    response.writeHead(200, { 'content-type': 'application/x-git-upload-pack-advertisement' })
    const piece = Buffer.alloc(65_536, 'x')
    const more = () => {
      while (!response.destroyed && response.write(piece));
    }
    response.on('drain', more)
    more()
    return true
  }
  await expect(clone({}, few)).rejects.toMatchObject({
    code: expect.stringMatching(/^(?:upstream_failed|quota_exceeded|tool_failed)$/),
  })
})

test('a server inside a private network is not reached', async () => {
  const guarded = openNetwork({ addresses: [], ports: [] })
  const inside = { web: { ...web, fetch: guarded.fetchFor({ key: 'git' }) } }
  await expect(clone({}, inside)).rejects.toMatchObject({ code: 'forbidden' })
  expect(scene.server.requests).toEqual([])
  await guarded.close()
})
