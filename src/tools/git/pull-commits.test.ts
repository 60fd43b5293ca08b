import { randomBytes } from 'node:crypto'
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { cloneRepository } from './clone-repository.ts'
import { commitChanges } from './commit-changes.ts'
import { pullCommits } from './pull-commits.ts'
import { pushCommits } from './push-commits.ts'
import { repositoryStatus } from './repository-status.ts'
import { useGitScene } from './testing/git-scene.ts'
import { addRepository, gitIn, startGitServer } from './testing/git-server.ts'

const files = { 'a.txt': 'one\ntwo\nthree\n', 'b.txt': 'b\n', 'c.txt': 'c\n' }

const scene = useGitScene('app.git', files)
const { run, token, url } = scene
const at = (...parts: string[]) => path.join(scene.workspace.folder, ...parts)
const clone = (folder: string, depth: number | null = null) =>
  run(cloneRepository, { url: url(), path: folder, branch: null, depth })
const push = (folder: string) => run(pushCommits, { url: url(), path: folder, branch: 'main' })
const pull = (more: object = {}) =>
  run(pullCommits, { url: url(), path: 'mine', branch: null, ifConflicts: 'keep', ...more })
const commit = (folder: string, message: string) =>
  run(commitChanges, { path: folder, message, files: null, authorName: null, authorEmail: null })

/** Writes these files in a clone and commits them; null deletes one. */
async function change(folder: string, texts: Record<string, string | null>): Promise<string> {
  for (const [name, text] of Object.entries(texts)) {
    if (text === null) rmSync(at(folder, name))
    else writeFileSync(at(folder, name), text)
  }
  return (await commit(folder, `Change in ${folder}`)).commit
}

/** Two clones, and a commit of the other one on the server. */
async function diverge(texts: Record<string, string | null>, depth: number | null = null) {
  await clone('mine', depth)
  await clone('theirs')
  const theirs = await change('theirs', texts)
  await push('theirs')
  return theirs
}

test('commits of others are taken over where there are none here', async () => {
  const theirs = await diverge({ 'b.txt': 'changed\n', 'new.txt': 'new\n' })
  expect(await pull()).toEqual({
    url: url(),
    branch: 'main',
    result: 'fast-forward',
    commit: theirs,
    commits: 1,
    conflicts: [],
    isPartial: false,
  })
  expect(readFileSync(at('mine/new.txt'), 'utf8')).toBe('new\n')
  expect(await run(repositoryStatus, { path: 'mine' })).toMatchObject({ behind: 0, isClean: true })
  expect(await pull()).toMatchObject({ result: 'up to date', commit: theirs, commits: 0 })
})

test.each([null, 1])('a rejected push is resolved by a merge (depth %s)', async (depth) => {
  await diverge({ 'b.txt': 'changed\n' }, depth)
  await change('mine', { 'c.txt': 'mine\n' })
  await expect(push('mine')).rejects.toMatchObject({
    code: 'conflict',
    fix: expect.stringContaining('git.pull'),
  })
  expect(await pull()).toMatchObject({ result: 'merged', commits: 1, conflicts: [] })
  expect(await push('mine')).toMatchObject({ result: 'updated' })
  expect(scene.server.git('app.git', 'log', '--format=%an: %s', '--first-parent', 'main')).toBe(
    `Toolcrib: Merge branch 'main' of ${url()}\nToolcrib: Change in mine\nAda: First commit\n`,
  )
  expect(scene.server.git('app.git', 'show', 'main:b.txt')).toBe('changed\n')
})

test('conflicts are listed, resolved by edits, and committed only without markers', async () => {
  await diverge({ 'a.txt': 'one\nTHEIRS\nthree\n', 'b.txt': null, 'd.txt': 'their d\n' })
  const mine = await change('mine', {
    'a.txt': 'one\nMINE\nthree\n',
    'b.txt': 'mine\n',
    'd.txt': 'my d\n',
  })
  expect(await pull()).toMatchObject({
    result: 'conflicts',
    commit: mine,
    conflicts: [
      { path: 'a.txt', change: 'changed by both' },
      { path: 'b.txt', change: 'deleted there' },
      { path: 'd.txt', change: 'added by both' },
    ],
  })
  expect(readFileSync(at('mine/a.txt'), 'utf8')).toMatch(/<<<<<<< HEAD\nMINE\n=======\nTHEIRS\n/)
  await expect(pull()).rejects.toMatchObject({ message: 'An earlier merge is not finished' })
  await expect(commit('mine', 'Merge')).rejects.toMatchObject({
    code: 'conflict',
    message: 'Conflicts of the merge are not resolved in a.txt',
  })
  writeFileSync(at('mine/a.txt'), 'one\nMINE\nthree\n')
  writeFileSync(at('mine/d.txt'), 'both d\n')
  rmSync(at('mine/b.txt'))
  expect(await commit('mine', 'Merge theirs')).toMatchObject({ subject: 'Merge theirs', files: 2 })
  expect(await push('mine')).toMatchObject({ result: 'updated' })
  expect(scene.server.git('app.git', 'show', 'main:d.txt')).toBe('both d\n')
})

test('a merge that keeps every file as it is here can be committed too', async () => {
  await diverge({ 'a.txt': 'THEIRS\n' })
  await change('mine', { 'a.txt': 'MINE\n' })
  await pull()
  writeFileSync(at('mine/a.txt'), 'MINE\n')
  expect(await commit('mine', 'Keep ours')).toMatchObject({ files: 0 })
  expect(await push('mine')).toMatchObject({ result: 'updated' })
})

test('conflicts can be looked at without a change of files', async () => {
  await diverge({ 'a.txt': 'THEIRS\n' })
  const mine = await change('mine', { 'a.txt': 'MINE\n' })
  const conflicts = [{ path: 'a.txt', change: 'changed by both' }]
  expect(await pull({ ifConflicts: 'undo' })).toMatchObject({ commit: mine, conflicts })
  expect(readFileSync(at('mine/a.txt'), 'utf8')).toBe('MINE\n')
  expect(await run(repositoryStatus, { path: 'mine' })).toMatchObject({ isClean: true, ahead: 1 })
})

test('changes that are not committed are never overwritten', async () => {
  await diverge({ 'a.txt': 'THEIRS\n' })
  writeFileSync(at('mine/a.txt'), 'not committed\n')
  await expect(pull()).rejects.toMatchObject({
    code: 'conflict',
    fix: 'Commit them with git.commit, then call git.pull again.',
  })
  expect(readFileSync(at('mine/a.txt'), 'utf8')).toBe('not committed\n')
})

test('another branch is merged by its name, and one that is not there is reported', async () => {
  await clone('mine')
  const work = at('mine')
  gitIn(work, 'branch', 'idea')
  await run(pushCommits, { url: url(), path: 'mine', branch: 'idea' })
  const main = gitIn(work, 'rev-parse', 'HEAD').trim()
  expect(await pull({ branch: 'idea' })).toMatchObject({ result: 'up to date', commit: main })
  await expect(pull({ branch: 'none' })).rejects.toMatchObject({
    code: 'not_found',
    message: 'The server has no branch none',
  })
  gitIn(work, 'checkout', '--quiet', '--detach')
  await expect(pull()).rejects.toMatchObject({ code: 'invalid_input' })
  await expect(pull({ path: null })).rejects.toMatchObject({ code: 'not_found' })
})

test('an unrelated repository is not merged', async () => {
  await clone('mine')
  await addRepository(scene.server, 'other.git', { 'x.txt': 'x\n', 'y.txt': 'y\n' })
  const wish = { url: `${scene.server.origin}/other.git` }
  await expect(pull(wish)).rejects.toMatchObject({
    code: 'conflict',
    message: 'The branch of the server and this one have no commit in common here',
  })
})

test('an empty repository gets the first commits of the server', async () => {
  gitIn(scene.workspace.folder, 'init', '--quiet', '--initial-branch=main', 'mine')
  expect(await pull()).toMatchObject({ result: 'fast-forward', commits: 1 })
  expect(readFileSync(at('mine/b.txt'), 'utf8')).toBe('b\n')
})

test('settings of the repository neither send a pull elsewhere nor run a program', async () => {
  await using evil = await startGitServer({ user: 'x-access-token', token, isPublic: true })
  await addRepository(evil, 'app.git', { 'a.txt': 'evil\n' })
  const theirs = await diverge({ 'b.txt': 'changed\n' })
  const rules = ['http://', 'http://git.internal/', url()].map(
    (prefix) => `[url "${evil.origin}/app.git"]\n\tinsteadOf = ${prefix}\n`,
  )
  const touch = `touch ${at('ran')}`
  const programs = `[fetch]\n\tnegotiationAlgorithm = consecutive\n[merge]\n\tff = false\n[branch "main"]\n\tmergeOptions = --squash --no-commit\n[core]\n\teditor = ${touch}\n\tfsmonitor = ${touch}\n[gpg]\n\tprogram = ${touch}\n[commit]\n\tgpgSign = true\n[http]\n\tproxy = ${evil.origin}\n`
  const config = at('mine/.git/config')
  writeFileSync(config, `${readFileSync(config, 'utf8')}${rules.join('')}${programs}`)
  expect(await pull()).toMatchObject({ result: 'fast-forward', commit: theirs })
  expect(evil.requests).toEqual([])
  expect(existsSync(at('ran'))).toBe(false)
})

test('only what is missing is transferred', async () => {
  await clone('mine')
  await clone('theirs')
  writeFileSync(at('theirs/large.txt'), randomBytes(1_500_000).toString('hex'))
  await change('theirs', {})
  await push('theirs')
  await pull()
  await change('theirs', { 'b.txt': 'small\n' })
  await push('theirs')
  const options = { timeoutSeconds: 20, maxMegabytes: 1 }
  const pulled = await run(
    pullCommits,
    { url: url(), path: 'mine', branch: null, ifConflicts: 'keep' },
    { options },
  )
  expect(pulled).toMatchObject({ result: 'fast-forward', commits: 1 })
})
