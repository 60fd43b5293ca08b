import { existsSync } from 'node:fs'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { hasBwrap } from '../src/host/sandbox/testing/sandbox-scene.ts'
import { settingsFor } from '../src/store/contract/records.ts'
import { openStores, type OpenStores } from '../src/features/open-stores.ts'
import { createTempDatabase, type TempDatabase } from '../src/store/contract/temp-store.ts'
import { openTestStore } from '../src/testing/open-test-store.ts'
import {
  addRepository,
  gitIn,
  type GitServer,
  startGitServer,
} from '../src/tools/git/testing/git-server.ts'
import { type McpCrib, openMcpCrib } from './mcp/mcp-crib.ts'
import { operator } from './setup/governed-crib.ts'
import { variants } from './setup/run-length.ts'

const token = 'token-of-the-git-server'

/** A project whose test fails until its greeting is right. */
const project = {
  'README.md': '# Greeter\n',
  'src/greeting.txt': 'Hello\n',
  'test.sh':
    'grep -q "^Hello, world$" src/greeting.txt && echo "1 test passed" || { echo "1 test failed"; exit 1; }\n',
}

interface Scene {
  mcp: McpCrib
  server: GitServer
  url: string
}

/** What both an agent and an MCP client do, one after the other. */
const story = ({ url }: Scene, branch: string): [tool: string, input: object][] => {
  const clone = { url, path: branch.replace('/', '-'), branch: null, depth: 1 }
  const { path } = clone
  const search = { pattern: '^Hello$', path, files: null, ignoreCase: false, limit: null }
  const file = `${path}/src/greeting.txt`
  const change = { path: file, search: 'Hello', replace: 'Hello, world', replaceAll: false }
  const run = { command: 'bash test.sh', cwd: path, timeout: 60 }
  const message = { message: 'Greet the world', files: null, authorName: null, authorEmail: null }
  const files = { staged: false, from: null, to: null, files: null }
  return [
    ['git.clone', clone],
    ['file.grep', search],
    ['shell.exec', run],
    ['file.edit', change],
    ['shell.exec', run],
    ['git.diff', { path, ...files }],
    ['git.branch', { path, name: branch, create: true }],
    ['git.commit', { path, ...message }],
    ['git.push', { url, path, branch }],
  ]
}

const isThere = await hasBwrap()

const stores = variants<'embedded' | 'postgres'>(['embedded'], ['postgres'])
describe.skipIf(!isThere).each(stores)('on %s', (kind) => {
  let scene: Scene
  let folder: string
  let store: OpenStores
  let database: TempDatabase | undefined

  beforeAll(async () => {
    folder = await mkdtemp(path.join(tmpdir(), 'toolcrib-story-'))
    database = kind === 'postgres' ? await createTempDatabase() : undefined
    store =
      database === undefined
        ? await openTestStore()
        : await openStores({ kind: 'postgres', url: database.url }, settingsFor())
    const server = await startGitServer({ user: 'x-access-token', token })
    await addRepository(server, 'team/greeter.git', project)
    const mcp = await openMcpCrib({
      store,
      data: folder,
      config: {
        packs: { git: true, shell: true },
        network: { addresses: ['127.0.0.1'] },
        agents: [{ slug: 'coder', model: 'demo', tools: { profile: 'coding' } }],
      },
    })
    await mcp.crib.api.writeSecret(operator, { name: 'git_token', value: token })
    await mcp.crib.api.writeSecret(operator, { name: 'git_host', value: server.origin })
    scene = { mcp, server, url: `${server.origin}/team/greeter.git` }
  })
  afterAll(async () => {
    await scene.mcp.close()
    await scene.server[Symbol.asyncDispose]()
    await store.close()
    await database?.drop()
    await rm(folder, { recursive: true, force: true })
  })

  const pushed = (branch: string) =>
    scene.server.git('team/greeter.git', 'show', `${branch}:src/greeting.txt`)
  const logged = (branch: string) =>
    scene.server.git('team/greeter.git', 'log', '--format=%an: %s', branch)

  test('an agent clones a repository, mends it, tests it, and pushes it once a person agrees', async () => {
    const { api } = scene.mcp.crib
    const orders = story(scene, 'agent/greeting').map(
      ([tool, input]) => `run ${tool} with ${JSON.stringify(input)}`,
    )
    const prompt = orders.join('\n')
    const started = await api.startRun(operator, { slug: 'coder', prompt })
    await expect
      .poll(async () => (await api.listApprovals(operator, { status: 'pending', limit: 10 })).items)
      .toMatchObject([
        {
          tool: 'git.push',
          input: { url: scene.url, path: 'agent-greeting', branch: 'agent/greeting' },
        },
      ])
    const { items } = await api.listApprovals(operator, { status: 'pending', limit: 10 })
    expect(() => pushed('agent/greeting')).toThrow(/agent\/greeting/)
    await api.decideApproval(operator, { id: items[0]?.id ?? '', decision: 'approve' })
    const ended = await api.findRun(operator, { id: started.id, wait: 60 })
    expect(ended).toMatchObject({ status: 'completed' })
    expect(pushed('agent/greeting')).toBe('Hello, world\n')
    expect(logged('agent/greeting')).toBe('Toolcrib: Greet the world\nAda: First commit\n')
    const { items: calls } = await api.listCalls(operator, { tool: 'shell.exec', limit: 10 })
    const outputs = calls.map(({ output }) => output).toReversed()
    expect(outputs).toMatchObject([
      { stdout: '1 test failed\n', exitCode: 1 },
      { stdout: '1 test passed\n', exitCode: 0 },
    ])
  })

  test('so does an MCP client, whose person is asked over the protocol', async () => {
    const key = await scene.mcp.createKey()
    const capabilities = { elicitation: { form: {} } }
    const client = await scene.mcp.connect(key, { era: 'older', capabilities })
    const asked: string[] = []
    client.setRequestHandler('elicitation/create', ({ params }) => {
      asked.push(params.message)
      return { action: 'accept', content: { confirm: true } }
    })
    const answers: Record<string, unknown>[] = []
    for (const [tool, input] of story(scene, 'client/greeting')) {
      const name = tool.replace('.', '_')
      const answer = await client.callTool({ name, arguments: { ...input } })
      expect({ tool, isError: answer.isError ?? false, answer }).toMatchObject({ isError: false })
      answers.push(answer.structuredContent as Record<string, unknown>)
    }
    await client.close()
    expect(answers).toMatchObject([
      { branch: 'main', path: 'client-greeting' },
      { matches: [{ path: 'client-greeting/src/greeting.txt', line: 1, text: 'Hello' }] },
      { exitCode: 1 },
      { replacements: 1 },
      { stdout: '1 test passed\n', exitCode: 0 },
      { diff: expect.stringContaining('-Hello\n+Hello, world\n'), files: 1 },
      { branch: 'client/greeting' },
      { subject: 'Greet the world', files: 1 },
      { result: 'created', branch: 'client/greeting' },
    ])
    expect(asked).toEqual([expect.stringContaining('git.push')])
    expect(pushed('client/greeting')).toBe('Hello, world\n')
  })

  test('a rejected push is resolved by a pull, its conflicts and a second push', async () => {
    const { api } = scene.mcp.crib
    const caller = { ...operator, sessionId: 'late' }
    const call = (tool: string, input: object) => api.call({ tool, input, caller })
    const done = async (tool: string, input: object) => {
      const result = await call(tool, input)
      expect(result).toMatchObject({ status: 'completed' })
      return result.output as Record<string, unknown>
    }
    const remote = { url: scene.url, path: 'app' }
    const push = async () => {
      const { callId, approvalId } = await call('git.push', { ...remote, branch: 'main' })
      await api.decideApproval(operator, { id: approvalId ?? '', decision: 'approve' })
      return api.findCall(operator, { id: callId ?? '', wait: 60 })
    }
    const write = async (content: string) => {
      await done('file.write', { path: 'app/src/greeting.txt', content, overwrite: true })
      const author = { authorName: null, authorEmail: null }
      return done('git.commit', { path: 'app', message: 'Greet', files: null, ...author })
    }
    await done('git.clone', { ...remote, branch: null, depth: 1 })
    await write('Hello, all\n')
    const others = path.join(folder, 'others')
    const bare = path.join(scene.server.folder, 'team/greeter.git')
    gitIn(folder, 'clone', '--quiet', bare, others)
    await writeFile(path.join(others, 'src/greeting.txt'), 'Good day\n')
    gitIn(others, 'commit', '--quiet', '--all', '--message', 'Be polite')
    gitIn(others, 'push', '--quiet', 'origin', 'main')
    expect(await push()).toMatchObject({ status: 'failed', error: { code: 'conflict' } })
    const pulled = await done('git.pull', { ...remote, branch: null, ifConflicts: 'keep' })
    expect(pulled).toMatchObject({
      result: 'conflicts',
      conflicts: [{ path: 'src/greeting.txt', change: 'changed by both' }],
    })
    await write('Good day, all\n')
    expect(await push()).toMatchObject({ status: 'completed', output: { result: 'updated' } })
    expect(pushed('main')).toBe('Good day, all\n')
    expect(logged('main').split('\n')).toHaveLength(5)
  })

  test('programs that a repository names in its settings run in the sandbox alone', async () => {
    const { api } = scene.mcp.crib
    const outside = path.join(folder, 'ran-on-the-server')
    const call = async (tool: string, input: object) => {
      const caller = { ...operator, sessionId: 'hostile' }
      const result = await api.call({ tool, input, caller })
      expect(result).toMatchObject({ status: 'completed' })
      return result.output as Record<string, unknown>
    }
    const nothing = { branch: null, depth: null }
    await call('git.clone', { url: scene.url, path: 'app', ...nothing })
    const filter = `touch ${outside}; touch ran-in-the-sandbox; cat`
    const config = `[core]\n\trepositoryformatversion = 0\n\tfsmonitor = ${filter}\n[filter "x"]\n\tclean = "${filter}"\n`
    await call('file.write', { path: 'app/.git/config', content: config, overwrite: true })
    await call('file.write', {
      path: 'app/.gitattributes',
      content: '* filter=x\n',
      overwrite: false,
    })
    await call('file.write', { path: 'app/README.md', content: '# Other\n', overwrite: true })
    await call('git.status', { path: 'app' })
    const author = { authorName: null, authorEmail: null }
    await call('git.commit', { path: 'app', message: 'Change', files: null, ...author })
    // Filters can't be switched off: this one ran, but not here.
    const wanted = { path: 'app', pattern: 'ran-*', limit: null }
    expect(await call('file.glob', wanted)).toMatchObject({
      entries: [{ path: 'app/ran-in-the-sandbox' }],
    })
    expect(existsSync(outside)).toBe(false)
  })
})
