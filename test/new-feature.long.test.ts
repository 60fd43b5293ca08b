import { execFile } from 'node:child_process'
import { writeFile } from 'node:fs/promises'
import path from 'node:path'
import { promisify } from 'node:util'
import { expect, onTestFinished, test } from 'vitest'
import { createSourceWithFeature } from './setup/source-with-feature.ts'

const run = promisify(execFile)

test('the fixture feature has the right types in every place that it touches', async () => {
  const source = await createSourceWithFeature()
  onTestFinished(() => source.remove())
  const tsc = path.join(source.path, 'node_modules/typescript/bin/tsc')
  // One wrong line shows that the compiler looked.
  const wrong = 'src/features/wrong.ts'
  const text =
    "import { operations } from './operations.ts'\nexport const wrong: string = operations.findNote\n"
  await writeFile(path.join(source.path, wrong), text)
  const files = [...source.added, ...source.changed, wrong].map((file) =>
    path.join(source.path, file),
  )
  const options = ['--noEmit', '--pretty', 'false', '--ignoreConfig', '--strict']
  const modules = ['--module', 'nodenext', '--target', 'es2024', '--types', 'node']
  const rest = ['--allowImportingTsExtensions', '--skipLibCheck', '--noUncheckedIndexedAccess']
  const found = await run(process.execPath, [tsc, ...options, ...modules, ...rest, ...files]).then(
    ({ stdout }) => stdout,
    ({ stdout, message }: { stdout?: string; message: string }) => stdout || message,
  )
  const errors = found.split('\n').filter((line) => line.includes('error TS'))
  expect(errors).toEqual([expect.stringContaining('features/wrong.ts(2,14): error TS2322')])
})
