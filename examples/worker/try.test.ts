import { spawn } from 'node:child_process'
import { once } from 'node:events'
import path from 'node:path'
import { text } from 'node:stream/consumers'
import { expect, test } from 'vitest'

test('the worker that is a process of its own completes what the server hands it', async () => {
  const child = spawn(process.execPath, [path.join(import.meta.dirname, 'try.ts')], {
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const [[code], stdout, stderr] = await Promise.all([
    once(child, 'exit') as Promise<[number]>,
    text(child.stdout),
    text(child.stderr),
  ])
  expect({ code, stdout, stderr }).toEqual({
    code: 0,
    stdout: 'Everything came out as written.\n',
    stderr: '',
  })
})
