import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import pg from 'pg'
import { expect, test } from 'vitest'
import { startPostgres } from './postgres.mjs'

test('a throw-away server answers, and is gone when stopped', async () => {
  const server = await startPostgres({ fsync: false })
  expect(await ask(server.url)).toEqual({ fsync: 'off', one: 1 })
  await server.stop()
  await expect(ask(server.url)).rejects.toMatchObject({ code: 'ECONNREFUSED' })
  await server.stop()
})

test('a server is gone soon after its owner was killed with -9', async () => {
  const program = `
    import { startPostgres } from ${JSON.stringify(new URL('postgres.mjs', import.meta.url).href)}
    console.log((await startPostgres()).url)
    setTimeout(() => {}, 60_000)`
  const owner = spawn(process.execPath, ['--input-type=module', '-e', program], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const [url] = (await once(createInterface({ input: owner.stdout }), 'line')) as [string]
  expect(await ask(url)).toEqual({ fsync: 'on', one: 1 })
  owner.kill('SIGKILL')
  await expect.poll(() => ask(url).catch((error) => error.code)).toBe('ECONNREFUSED')
})

async function ask(url: string): Promise<unknown> {
  const client = new pg.Client(url)
  // A server that goes away says so on the idle connection too.
  client.on('error', () => {})
  await client.connect()
  try {
    const { rows } = await client.query(`select current_setting('fsync') as fsync, 1 as one`)
    return rows[0]
  } finally {
    await client.end().catch(() => {})
  }
}
