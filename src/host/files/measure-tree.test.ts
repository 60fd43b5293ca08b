import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { aWorkspace } from './a-workspace.fixture.ts'

const bash = (script: string, cwd: string) => execFileSync('bash', ['-c', script], { cwd })

test('files in folders too deep for any path count', async () => {
  const { files, root } = await aWorkspace()
  bash(`mkdir -p ${'d/'.repeat(300)} && cd ${'d/'.repeat(300)} && printf 12345 > f; touch g`, root)
  writeFileSync(path.join(root, 'top'), '123')
  expect(await files.measure(10_000)).toEqual({ bytes: 8, files: 303 })
})

test('files below a name that is not UTF-8 count', async () => {
  const { files, root } = await aWorkspace()
  bash(String.raw`mkdir $'a\xff' && printf 12345 > $'a\xff/f' && printf 1 > $'\xfe'`, root)
  expect(await files.measure(100)).toEqual({ bytes: 6, files: 3 })
})

test('counting ends at the limit, also in one large folder', async () => {
  const { files, root } = await aWorkspace()
  bash('touch f{1..500}', root)
  expect(await files.measure(100)).toEqual({ bytes: 0, files: 100 })
})

test('a link is counted and not followed', async () => {
  const { files, root, outside } = await aWorkspace()
  mkdirSync(path.join(outside, 'else'))
  writeFileSync(path.join(outside, 'else', 'f'), '12345')
  bash('ln -s ../../../else link; ln -s . loop', root)
  expect(existsSync(path.join(root, 'link', 'f'))).toBe(true)
  expect(await files.measure(100)).toEqual({ bytes: 0, files: 2 })
})
