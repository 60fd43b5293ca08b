import { expect, test } from 'vitest'
import { openChat, owner } from './open-chat.ts'

test('a run that is asked for again with its key is the same run', async () => {
  const { app, api, token, close } = await openChat(() => ({ text: 'done' }))
  const start = async (body: object, key: string) => {
    const response = await app.fetch(
      new Request('http://localhost/api/v1/agents/helper/runs', {
        method: 'POST',
        headers: {
          authorization: `Bearer ${token}`,
          'content-type': 'application/json',
          'idempotency-key': key,
        },
        body: JSON.stringify(body),
      }),
    )
    return (await response.json()) as { id: string; code?: string }
  }
  const [first, second] = await Promise.all([
    start({ prompt: 'go' }, 'k 1'),
    start({ prompt: 'go' }, 'k 1'),
  ])
  expect(first.id).toMatch(/^turn_/)
  expect(second.id).toBe(first.id)
  const { conversationId } = await api.findRun(owner, { id: first.id, wait: 60 })
  // After its end, too; and with another prompt it is a mistake.
  expect((await start({ prompt: 'go' }, 'k 1')).id).toBe(first.id)
  expect(await start({ prompt: 'stop' }, 'k 1')).toMatchObject({ code: 'idempotency_mismatch' })
  const other = await start({ prompt: 'go', conversationId }, 'k 2')
  expect((await start({ prompt: 'go', conversationId }, 'k 2')).id).toBe(other.id)
  expect(other.id).not.toBe(first.id)
  await api.findRun(owner, { id: other.id, wait: 60 })
  expect((await api.listRuns(owner, { limit: 10 })).items).toHaveLength(2)
  await close()
})
