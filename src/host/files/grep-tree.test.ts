import { expect, test } from 'vitest'
import { aWorkspace } from './a-workspace.fixture.ts'

test('lines are found with their numbers, in the files that a pattern names', async () => {
  const { files } = await aWorkspace()
  await files.write('a.ts', 'one\r\ntwo x\r\n\r\nthree x')
  await files.write('b/c.ts', 'x\ny\n'.repeat(3))
  await files.write('d.md', 'x')
  await files.write('e.bin', new Uint8Array([120, 0, 120]))
  const all = await files.grep({ pattern: 'x$', files: '*.ts', limit: 100 })
  expect(all.matches.map(({ path, line, text }) => `${path}:${line}:${text}`)).toEqual([
    'a.ts:2:two x',
    'a.ts:4:three x',
    'b/c.ts:1:x',
    'b/c.ts:3:x',
    'b/c.ts:5:x',
  ])
  expect([all.isPartial, all.filesRead]).toEqual([false, 2])
  const some = await files.grep({ pattern: 'X', ignoreCase: true, path: 'b', limit: 2 })
  expect([some.matches.length, some.isPartial]).toEqual([2, true])
})

test('a match does not reach over the end of its line', async () => {
  const { files } = await aWorkspace()
  await files.write('a', 'begin\nmiddle\nend begin end\n')
  const { matches } = await files.grep({ pattern: 'begin[^x]*end', limit: 10 })
  expect(matches).toEqual([{ path: 'a', line: 3, text: 'end begin end' }])
})

test('an impossible pattern is refused, and a search can be stopped', async () => {
  const { files } = await aWorkspace()
  for (let file = 0; file < 20; file += 1) await files.write(`${file}`, 'ab '.repeat(100_000))
  for (const pattern of ['(?=a)', '(', '\\1', 'x'.repeat(1001), '(a{1000}){1000}']) {
    await expect(files.grep({ pattern, limit: 1 })).rejects.toMatchObject({ code: 'invalid_input' })
  }
  const controller = new AbortController()
  const search = files.grep({ pattern: '(a|b)+c', limit: 1, signal: controller.signal })
  // Runs as soon as the search lets anything else run.
  setImmediate(() => controller.abort(new Error('stopped')))
  await expect(search).rejects.toThrow('stopped')
})

test('twenty thousand files are listed and searched in turns with other work', async () => {
  const { files, root } = await aWorkspace()
  const { mkdirSync, writeFileSync } = await import('node:fs')
  for (let folder = 0; folder < 100; folder += 1) {
    mkdirSync(`${root}/${folder}`)
    for (let file = 0; file < 200; file += 1)
      writeFileSync(`${root}/${folder}/${file}.txt`, 'word\n')
  }
  let longest = 0
  let last = performance.now()
  const timer = setInterval(() => {
    longest = Math.max(longest, performance.now() - last)
    last = performance.now()
  }, 1)
  try {
    const list = await files.list('', { recursive: true, limit: 1000 })
    expect([list.entries.length, list.isPartial]).toEqual([1000, true])
    const glob = await files.glob('**/7.txt', { limit: 1000 })
    expect([glob.entries.length, glob.isPartial]).toEqual([100, false])
    const grep = await files.grep({ pattern: 'w.rd', limit: 100_000 })
    expect([grep.matches.length, grep.filesRead]).toEqual([20_000, 20_000])
    expect(await files.measure(100_000)).toMatchObject({ files: 20_100 })
  } finally {
    clearInterval(timer)
  }
  expect(longest).toBeLessThan(1000)
})
