import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { expect, test } from 'vitest'
import { hostilePath, isAlive, until } from './setup/gateway-crib.ts'
import { startServerProcess } from './setup/server-process.ts'

test('no process of a server outlives us, not even when we are killed', async () => {
  const cwd = await mkdtemp(path.join(tmpdir(), 'toolcrib-orphans-'))
  const bad = { command: process.execPath, args: [hostilePath] }
  await writeFile(path.join(cwd, 'toolcrib.config.json'), JSON.stringify({ mcpServers: { bad } }))
  try {
    const server = await startServerProcess({ cwd, data: path.join(cwd, 'data') })
    const call = async (tool: string) => {
      const route = `/api/v1/tools/${encodeURIComponent(`mcp:bad:${tool}`)}/calls`
      const answer = await server.request(route, { method: 'POST', json: { input: {} } })
      return (await answer.json()) as { output?: { $content?: { text: string }[] } }
    }
    let started = ''
    await until(async () => {
      started = (await call('fork')).output?.$content?.[0]?.text ?? ''
      return started !== ''
    })
    expect(isAlive(Number(started))).toBe(true)
    await server.kill()
    await until(() => !isAlive(Number(started)))
  } finally {
    await rm(cwd, { recursive: true, force: true })
  }
})
