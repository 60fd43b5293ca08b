import { afterAll, beforeAll, expect, test } from 'vitest'
import type { CallRecord, CallResult } from '../../src/core/kernel/call.ts'
import type { SessionFlag } from '../../src/core/flow/session-flags.ts'
import { createNodes, type Nodes } from '../setup/nodes.ts'
import type { ServerProcess } from '../setup/server-process.ts'

const labels = {
  'crash.read': { reads: ['untrusted', 'private'] as ['untrusted', 'private'] },
  'crash.write': { effects: 'external' as const },
}

// Nodes are so patient that none takes over the calls of one that a busy machine has stopped.
let nodes: Nodes
let one: ServerProcess
let other: ServerProcess
beforeAll(async () => {
  nodes = await createNodes({ labels, limits: { nodeTimeoutMs: 60_000 } })
  ;[one, other] = await Promise.all([nodes.start('one'), nodes.start('other')])
})
afterAll(() => nodes.close())

/** What is done in one session, and what that has seen. */
function inSession(sessionId: string) {
  return {
    async call(node: ServerProcess, tool: string, input: object): Promise<CallResult> {
      const json = { input, sessionId }
      const response = await node.request(`/api/v1/tools/${tool}/calls`, { json })
      return (await response.json()) as CallResult
    },
    async flagsOn(node: ServerProcess): Promise<SessionFlag[]> {
      const response = await node.request(`/api/v1/session-flags/${sessionId}`)
      return ((await response.json()) as { items?: SessionFlag[] }).items ?? []
    },
  }
}

test('what a session has seen on one node is asked about on another, at once', async () => {
  const { call, flagsOn } = inSession('s')
  expect((await call(other, 'crash.write', { id: 'a', ms: 0 })).status).toBe('completed')
  const seen = await call(one, 'crash.read', { id: 'b', ms: 0 })
  const asked = await call(other, 'crash.write', { id: 'c', ms: 0 })
  expect(asked.status).toBe('waiting')
  expect((await flagsOn(other)).map(({ callId }) => callId)).toEqual([seen.callId, seen.callId])
  // Approved on the one, run on whichever, and on the other the flags are still up.
  const decision = { json: { decision: 'approve' } }
  await one.request(`/api/v1/approvals/${asked.approvalId}/decision`, decision)
  const done = await other.request(`/api/v1/calls/${asked.callId}?wait=60`)
  expect(((await done.json()) as CallRecord).status).toBe('completed')
  expect((await call(one, 'crash.write', { id: 'd', ms: 0 })).status).toBe('waiting')
})

test('a reader that dies in the middle has raised its flags', async () => {
  const { call, flagsOn } = inSession('dies')
  const reading = call(one, 'crash.read', { id: 'a', ms: 60_000 }).catch(() => undefined)
  await expect.poll(() => flagsOn(one), { timeout: 60_000 }).toHaveLength(2)
  const [flag] = await flagsOn(one)
  await one.kill()
  await reading
  expect((await call(other, 'crash.write', { id: 'b', ms: 0 })).status).toBe('waiting')
  // The call that a flag names is on record, also where it never came to its end.
  expect((await other.request(`/api/v1/calls/${flag?.callId}`)).status).toBe(200)
})
