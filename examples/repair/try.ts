/**
 * A coding agent repairs a failing test: the calls that its model would make, in one session, with
 * the built-in tools. Ends with exit code 1 and the difference when something is not as it is
 * written here. Programs need the sandbox; without one it says so.
 */
import assert from 'node:assert/strict'
import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { createCrib } from 'toolcrib'
import type { CallResult, Crib } from 'toolcrib'

const source = `export const total = (prices) => prices.reduce((sum, price) => sum - price, 0)\n`
const check = `import assert from 'node:assert'
import { total } from './total.mjs'
assert.equal(total([4, 3]), 7)
`

const folder = await mkdtemp(path.join(tmpdir(), 'crib-repair-'))
// As root, programs run as another user, who must get through to the workspace.
await chmod(folder, 0o711)
try {
  const crib = await createCrib({
    data: path.join(folder, 'data'),
    config: {
      // The packs that run programs are off by default.
      packs: { shell: true },
      agents: [
        {
          slug: 'coder',
          model: 'demo',
          tools: { allow: ['file.*', 'shell.exec'] },
          hooks: { confirm: ['file.delete'] },
        },
      ],
    },
  })
  try {
    console.log(await repair(crib))
  } finally {
    await crib.close()
  }
} finally {
  await rm(folder, { recursive: true, force: true })
}

async function repair(crib: Crib): Promise<string> {
  // All calls of a session share a workspace.
  const as = { agent: 'coder', sessionId: 'repair' }
  const call = (tool: string, input: object) => crib.call(tool, input, as)
  assertOutput(await call('file.write', { path: 'total.mjs', content: source }), { isNew: true })
  assertOutput(await call('file.write', { path: 'check.mjs', content: check }), { isNew: true })

  const failed = await call('shell.exec', { command: 'node check.mjs' })
  if (failed.error?.code === 'sandbox_unavailable') return failed.error.message
  // A command that fails is a result for the model, so the call completes.
  assertOutput(failed, { exitCode: 1 })

  const edit = { path: 'total.mjs', search: 'sum - price', replace: 'sum + price' }
  assertOutput(await call('file.edit', edit), { added: 1, removed: 1 })
  assertOutput(await call('shell.exec', { command: 'node check.mjs' }), { exitCode: 0 })

  // The sandbox has no network unless a rule allows hosts, and nothing of the server's files.
  const outside = await call('shell.exec', { command: `cat ${import.meta.filename}` })
  assertOutput(outside, { exitCode: 1, stdout: '' })
  const asked = await call('file.delete', { path: 'check.mjs' })
  assert.equal(asked.waitingFor, 'approval')
  return 'The test was repaired.'
}

/** The call completed, and its output holds at least this. */
function assertOutput(result: CallResult, expected: object): void {
  assert.equal(result.status, 'completed', JSON.stringify(result.error))
  assert.partialDeepStrictEqual(result.output, expected)
}
