import { execFile } from 'node:child_process'
import path from 'node:path'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'

const here = import.meta.dirname
const run = promisify(execFile)

const examples = ['ai-sdk', 'anthropic', 'langchain', 'mastra', 'openai', 'openai-agents']

test.each(examples)('%s.ts says what it did when it is run', async (name) => {
  const preload = path.join(here, '../crib/from-source.ts')
  const { stdout } = await run(process.execPath, ['--import', preload, `${here}/${name}.ts`])
  expect(stdout).toContain('  call.requested orders.refund\n')
  expect(stdout).toContain('  approval.granted\n')
  expect(stdout).toContain('  refunded: A-7\n')
})
