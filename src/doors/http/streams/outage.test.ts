import { expect, test } from 'vitest'
import { ToolError } from '../../../core/kernel/errors.ts'
import type { CribEvent } from '../../../core/events/event.ts'
import { createHttpApp } from '../create-http-app.ts'
import { createMemoryCrib } from '../testing/memory-crib.ts'
import { ownerKey, toFrames } from '../testing/open-door.ts'

/** A door whose store can be made unreachable. */
function openFragileDoor() {
  const crib = createMemoryCrib()
  const state = { isAway: false, isRevoked: false, refusals: 0 }
  const look = () => {
    if (!state.isAway) return
    state.refusals += 1
    throw new ToolError('store_unavailable', 'away')
  }
  const app = createHttpApp({
    api: {
      ...crib.api,
      async authenticate(token, runtime) {
        look()
        return state.isRevoked ? undefined : crib.api.authenticate(token, runtime)
      },
      async followEvents(caller, query) {
        const follower = await crib.api.followEvents(caller, query)
        let held: CribEvent[] = []
        return {
          ...follower,
          /** Events from the outage are there when the store is back. */
          async next(waitMs) {
            look()
            if (held.length > 0) return held.splice(0)
            const items = await follower.next(waitMs)
            if (state.isAway) held = [...items]
            look()
            return items
          },
        }
      },
    },
    version: 'test',
    limits: { heartbeatMs: 50 },
  })
  return { crib, app, state }
}

async function follow({ app }: ReturnType<typeof openFragileDoor>) {
  const leave = new AbortController()
  const response = await app.request('/api/v1/events', {
    headers: { ...ownerKey, accept: 'text/event-stream' },
    signal: leave.signal,
  })
  const heard = { text: '', isOver: false }
  const reading = (async () => {
    for await (const piece of response.body?.pipeThrough(new TextDecoderStream()) ?? []) {
      heard.text += piece
      if (leave.signal.aborted) break
    }
    heard.isOver = true
  })()
  const stop = async () => {
    leave.abort()
    await reading
  }
  return { heard, stop, frames: () => toFrames(heard.text).map(([type, , id]) => [type, id]) }
}

test('a stream outlasts an outage of the store: it stays alive, and nothing is missed afterwards', async () => {
  const door = openFragileDoor()
  const { crib, state } = door
  const record = () => crib.events.record(crib.owner, { type: 'call.output', data: 1 })
  const reader = await follow(door)
  record()
  await expect.poll(reader.frames).toEqual([['call.output', 'e1']])
  state.isAway = true
  record()
  record()
  const before = reader.heard.text.length
  await expect.poll(() => state.refusals).toBeGreaterThan(1)
  await expect.poll(() => reader.heard.text.slice(before)).toMatch(/^(: heartbeat\n\n)+$/)
  state.isAway = false
  await expect.poll(reader.frames).toEqual([
    ['call.output', 'e1'],
    ['call.output', 'e2'],
    ['call.output', 'e3'],
  ])
  await reader.stop()
})

test('a key that was revoked during the outage reads nothing after it', async () => {
  const door = openFragileDoor()
  const { crib, state } = door
  const reader = await follow(door)
  state.isAway = true
  crib.events.record(crib.owner, { type: 'call.output', data: 'secret' })
  // Seen by the stream, however short it was.
  await expect.poll(() => state.refusals).toBeGreaterThan(2)
  state.isRevoked = true
  state.isAway = false
  await expect.poll(() => reader.heard.isOver).toBe(true)
  expect(reader.frames()).toEqual([['error', undefined]])
  expect(reader.heard.text).toContain('"code":"unauthorized"')
})
