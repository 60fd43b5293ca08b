import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Crib, createCrib, defineTool, z } from '../src/app/index.ts'
import { ownerOf } from '../src/app/owner.ts'
import { countProcesses, hasBwrap } from '../src/host/sandbox/testing/sandbox-scene.ts'

const isThere = await hasBwrap()
const inputSchema = z.object({ command: z.string() })
const tools = [
  defineTool({
    name: 'own.run',
    description: 'Runs a command, for tests.',
    effect: 'write',
    inputSchema,
    async execute({ command }, { processes }) {
      const { exitCode, stdout } = await processes.run({ command })
      return { exitCode: exitCode ?? -1, stdout: new TextDecoder().decode(stdout) }
    },
  }),
  defineTool({
    name: 'own.start',
    description: 'Starts a command, for tests.',
    effect: 'write',
    inputSchema,
    execute: async ({ command }, { processes }) => ({
      pid: (await processes.start({ command })).pid,
    }),
  }),
  defineTool({
    name: 'own.read',
    description: 'Reads a file, for tests.',
    effect: 'read',
    inputSchema: z.object({ path: z.string() }),
    execute: async ({ path }, { workspace }) => ({
      text: new TextDecoder().decode((await workspace.read(path)).bytes),
    }),
  }),
]

describe.skipIf(!isThere)('programs of tools (skipped without bubblewrap)', () => {
  let folder: string
  let crib: Crib
  beforeAll(async () => {
    folder = await mkdtemp(path.join(tmpdir(), 'toolcrib-programs-'))
    await chmod(folder, 0o711)
    crib = await createCrib({
      cwd: folder,
      data: path.join(folder, 'data'),
      tools,
      config: { workspaces: { mode: 'free', maxBytes: 1_000_000 } },
      onWarning: () => undefined,
    })
  })
  afterAll(async () => {
    await crib.close()
    await rm(folder, { recursive: true, force: true })
  })

  const owner = ownerOf()
  const workspaceOf = async (sessionId: string) => {
    const { items } = await crib.api.listWorkspaces(owner, { sessionId, limit: 10 })
    return items[0]?.id ?? ''
  }

  test('a command runs in the workspace of its session', async () => {
    const as = { sessionId: 'first' }
    const made = await crib.call('own.run', { command: 'pwd; echo made > here.txt' }, as)
    expect(made).toMatchObject({ status: 'completed', output: { exitCode: 0 } })
    expect(await crib.call('own.read', { path: 'here.txt' }, as)).toMatchObject({
      output: { text: 'made\n' },
    })
    const other = await crib.call('own.run', { command: 'ls' }, { sessionId: 'second' })
    expect(JSON.stringify(other.output)).not.toContain('here.txt')
  })

  test('a background process can be listed, read and ended by its operations', async () => {
    const as = { sessionId: 'background' }
    const started = await crib.call('own.start', { command: 'echo up; exec sleep 300' }, as)
    expect(started.status).toBe('completed')
    const id = await workspaceOf('background')
    await expect
      .poll(async () => (await crib.api.listProcesses(owner, { id })).items)
      .toMatchObject([{ pid: 1, state: 'running', stdoutBytes: 3 }])
    const range = { stream: 'stdout' as const, offset: 0, maxBytes: 100 }
    expect(await crib.api.readProcessOutput(owner, { id, pid: '1', ...range })).toEqual({
      text: 'up\n',
      next: 3,
      dropped: 0,
      isEnd: false,
    })
    expect(await crib.api.killProcess(owner, { id, pid: '1' })).toMatchObject({ state: 'killed' })
    const stranger = ownerOf('nowhere')
    await expect(crib.api.listProcesses(stranger, { id })).rejects.toMatchObject({
      code: 'not_found',
    })
    const missing = crib.api.killProcess(owner, { id, pid: '7' })
    await expect(missing).rejects.toMatchObject({ code: 'not_found' })
    await expect
      .poll(async () => {
        const types = ['process.started', 'process.ended'] as const
        const seen = []
        for await (const event of crib.events({ types })) seen.push(event.type)
        return seen
      })
      .toEqual(['process.started', 'process.ended'])
  })

  test('processes end with their workspace', async () => {
    const mark = `of-workspace-${process.pid}`
    const as = { sessionId: 'removed' }
    await crib.call('own.start', { command: `exec -a ${mark} sleep 300` }, as)
    await expect.poll(() => countProcesses(mark)).toBeGreaterThan(0)
    await crib.api.deleteWorkspace(owner, { id: await workspaceOf('removed') })
    expect(await countProcesses(mark)).toBe(0)
  })

  test('processes that may write end when their workspace no longer allows it', async () => {
    const mark = `of-mode-${process.pid}`
    const as = { sessionId: 'narrowed' }
    await crib.call('own.start', { command: `exec -a ${mark} sleep 300` }, as)
    await expect.poll(() => countProcesses(mark)).toBeGreaterThan(0)
    const id = await workspaceOf('narrowed')
    await crib.api.changeWorkspace(owner, { id, mode: 'read-only' })
    expect(await countProcesses(mark)).toBe(0)
    const { items } = await crib.api.listProcesses(owner, { id })
    expect(items).toMatchObject([{ pid: 1, state: 'killed' }])
    await crib.api.changeWorkspace(owner, { id, mode: 'free' })
    expect((await crib.api.listProcesses(owner, { id })).items).toHaveLength(1)
  })

  test('a command that may write ends when its workspace allows less', async () => {
    const as = { sessionId: 'changed meanwhile' }
    const running = crib.call('own.run', { command: 'touch up; sleep 300; echo done' }, as)
    const isUp = async () => (await crib.call('own.read', { path: 'up' }, as)).status
    await expect.poll(isUp).toBe('completed')
    const id = await workspaceOf('changed meanwhile')
    await crib.api.changeWorkspace(owner, { id, mode: 'ask' })
    expect(await running).toMatchObject({ status: 'failed' })
  })

  test('a full workspace is not filled further by more commands', async () => {
    const as = { sessionId: 'full' }
    const fill = (name: string) => {
      const folder = "$'hidden\\xff'"
      const command = `mkdir -p ${folder} && head -c 2000000 /dev/urandom > ${folder}/${name}`
      return crib.call('own.run', { command }, as)
    }
    expect((await fill('a')).error?.code).toBe('quota_exceeded')
    const id = await workspaceOf('full')
    expect(await crib.api.findWorkspace(owner, { id })).toMatchObject({ bytes: 2_000_000 })
    const refused = { status: 'failed', error: { code: 'quota_exceeded' } }
    expect(await fill('b')).toMatchObject(refused)
    expect(await crib.call('own.start', { command: 'sleep 300' }, as)).toMatchObject(refused)
    expect(await crib.api.findWorkspace(owner, { id })).toMatchObject({ bytes: 2_000_000 })
  })

  test('the sandbox is shown, and can be checked again', async () => {
    expect(await crib.api.readSandbox(owner, {})).toMatchObject({
      driver: 'bwrap',
      state: 'verified',
    })
    expect(await crib.api.checkSandbox(owner, {})).toMatchObject({ state: 'verified' })
    const health = await crib.api.health()
    expect(health.checks['sandbox']?.message).toMatch(/^bwrap: verified; limits: /)
  })
})

test('without a sandbox, tools that run programs are off, and others are not', async () => {
  const folder = await mkdtemp(path.join(tmpdir(), 'toolcrib-programs-'))
  const crib = await createCrib({
    cwd: folder,
    data: path.join(folder, 'data'),
    tools,
    config: { sandbox: { driver: 'bwrap' }, workspaces: { mode: 'free' } },
    env: { PATH: '/nowhere' },
    onWarning: () => undefined,
  })
  try {
    const refused = await crib.call('own.run', { command: 'true' }, { sessionId: 's' })
    expect(refused).toMatchObject({ status: 'failed', error: { code: 'sandbox_unavailable' } })
    expect(refused.error?.fix).toBeTruthy()
    const other = await crib.call('own.read', { path: 'a' }, { sessionId: 's' })
    expect(other.error?.code).toBe('not_found')
  } finally {
    await crib.close()
    await rm(folder, { recursive: true, force: true })
  }
})

test('without any sandbox programs run only for a single tenant, and that is shown', async () => {
  const folder = await mkdtemp(path.join(tmpdir(), 'toolcrib-programs-'))
  await chmod(folder, 0o711)
  const crib = await createCrib({
    cwd: folder,
    data: path.join(folder, 'data'),
    tools,
    config: { sandbox: { driver: 'none' }, workspaces: { mode: 'free' } },
    onWarning: () => undefined,
  })
  try {
    const run = () => crib.call('own.run', { command: 'echo hi' }, { sessionId: 's' })
    expect(await run()).toMatchObject({ status: 'completed' })
    expect(await crib.api.readSandbox(ownerOf(), {})).toMatchObject({ state: 'unsandboxed' })
    await crib.api.createTenant(ownerOf(), { slug: 'second', name: 'Second' })
    expect(await run()).toMatchObject({ error: { code: 'sandbox_unavailable' } })
  } finally {
    await crib.close()
    await rm(folder, { recursive: true, force: true })
  }
})
