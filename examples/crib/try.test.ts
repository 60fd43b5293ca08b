import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { text } from 'node:stream/consumers'
import { expect, test } from 'vitest'

/** Runs a program as a user would: a process of its own on the checkout's source. */
async function run(file: string): Promise<{ code: number; stdout: string; stderr: string }> {
  const preload = path.join(import.meta.dirname, 'from-source.ts')
  const child = spawn(process.execPath, ['--import', preload, file], {
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const [[code], stdout, stderr] = await Promise.all([
    once(child, 'exit') as Promise<[number]>,
    text(child.stdout),
    text(child.stderr),
  ])
  return { code, stdout, stderr }
}

test('the example that checks itself finds everything as written', async () => {
  const { code, stdout, stderr } = await run(path.join(import.meta.dirname, 'try.ts'))
  expect({ code, stdout, stderr }).toEqual({
    code: 0,
    stdout: 'Everything came out as written.\n',
    stderr: '',
  })
})

test('the example that repairs a file does so, or says what its sandbox lacks', async () => {
  const { code, stdout, stderr } = await run(path.join(import.meta.dirname, '../repair/try.ts'))
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
  expect(stdout).toMatch(/^(?:The test was repaired\.|.*sandbox.*)\n$/i)
})

test('it fails when a figure differs', async () => {
  const folder = await mkdtemp(path.join(tmpdir(), 'crib try '))
  try {
    const source = await readFile(path.join(import.meta.dirname, 'try.ts'), 'utf8')
    const here = JSON.stringify(import.meta.dirname)
    const changed = source.replace('51_631.47', '51_631.48').replace('import.meta.dirname', here)
    await writeFile(path.join(folder, 'try.mts'), changed)
    const { code, stderr } = await run(path.join(folder, 'try.mts'))
    expect(code).toBe(1)
    expect(stderr).toContain('51631.47')
  } finally {
    await rm(folder, { recursive: true })
  }
})
