import { expect, test } from 'vitest'
import type { CallContext } from '../../core/kernel/call.ts'
import type { CallerClient } from '../../core/kernel/context/caller-client.ts'
import { ToolError } from '../../core/kernel/errors.ts'
import { mcpServerSchema } from '../../core/gateway/server-spec.ts'
import { callSignedIn } from './call-signed-in.ts'

const client: CallerClient = {
  abilities: new Set(['elicitation.url']),
  ask: async () => ({ sign_in: { action: 'accept' } }),
  log: () => undefined,
}

/** A call that works once somebody has signed in. */
async function callFor(perUser: boolean) {
  const spec = mcpServerSchema.parse({ url: 'https://docs.example/mcp', oauth: { perUser } })
  const principal = { kind: 'key', id: 'key_1' } as const
  let isSignedIn = false
  const call = async () => {
    if (isSignedIn) return 'done'
    throw new ToolError('sign_in_required', 'Sign in first')
  }
  const signIn = {
    async begin() {
      isSignedIn = true
      return { url: 'https://login.example' }
    },
    now: Date.now,
    isDone: async () => true,
  }
  const context = { client, signal: new AbortController().signal } as CallContext
  const request = { tenant: 'acme', server: 'docs', spec, principal }
  return callSignedIn(call, { request, signIn, context })
}

test('the caller is sent to sign in for themselves', async () => {
  expect(await callFor(true)).toBe('done')
})

test('an ordinary caller cannot sign in for the whole tenant', async () => {
  await expect(callFor(false)).rejects.toMatchObject({ code: 'sign_in_required' })
})
