import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createCrib, type Crib } from '../src/app/index.ts'
import { ownerOf } from '../src/app/owner.ts'
import { hasBwrap } from '../src/host/sandbox/testing/sandbox-scene.ts'
import { createTempDatabase } from '../src/store/contract/temp-store.ts'

const isThere = await hasBwrap()

describe.skipIf(!isThere)('a workspace on two nodes (skipped without bubblewrap)', () => {
  const owner = ownerOf()
  let folder: string
  let database: Awaited<ReturnType<typeof createTempDatabase>>
  const nodes: Crib[] = []
  beforeAll(async () => {
    folder = await mkdtemp(path.join(tmpdir(), 'crib-nodes-'))
    await chmod(folder, 0o711)
    database = await createTempDatabase()
    const env = {
      ...process.env,
      TOOLCRIB_MASTER_KEY: `k1:${Buffer.alloc(32, 3).toString('base64')}`,
    }
    const config = {
      packs: { shell: true, process: true },
      workspaces: { folder: path.join(folder, 'workspaces') },
    }
    for (const name of ['here', 'there']) {
      const data = path.join(folder, name)
      nodes.push(await createCrib({ data, config, env, database: database.url }))
    }
  })
  afterAll(async () => {
    await Promise.all(nodes.map((node) => node.close()))
    await database.drop()
    await rm(folder, { recursive: true, force: true })
  })

  /** A session with a process and a command that write, both on the first node. */
  async function openSession(sessionId: string) {
    const [here, there] = nodes
    if (here === undefined || there === undefined) throw new Error('There are no nodes')
    const as = { sessionId }
    const started = await here.call('process.start', { command: 'sleep 300', cwd: null }, as)
    expect(started.error).toBeUndefined()
    const [found] = (await there.api.listWorkspaces(owner, { sessionId })).items
    const id = found?.id ?? ''
    const command = here.call(
      'shell.exec',
      { command: 'touch began; sleep 300', cwd: null, timeout: null },
      as,
    )
    const hasBegun = async () =>
      (await there.api.listWorkspaceFiles(owner, { id })).items.map((file) => file.path)
    await expect.poll(hasBegun).toEqual(['began'])
    return { id, here, there, command }
  }

  test('what runs on another node ends when the mode allows less', async () => {
    const { id, here, there, command } = await openSession('narrowed')
    const states = async () => (await here.api.listProcesses(owner, { id })).items
    expect(await states()).toMatchObject([{ state: 'running' }])
    await there.api.changeWorkspace(owner, { id, mode: 'read-only' })
    expect(await command).toMatchObject({ error: { code: 'denied' } })
    await expect.poll(states).toMatchObject([{ state: 'killed' }])
  })

  test('what runs on another node ends when the workspace is deleted', async () => {
    const { id, there, command } = await openSession('deleted')
    await there.api.deleteWorkspace(owner, { id })
    expect((await command).status).toBe('failed')
  })
})
