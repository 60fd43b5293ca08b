import { expect, test } from 'vitest'
import { ToolError } from '../../../core/kernel/errors.ts'
import type { CribEvent } from '../../../core/events/event.ts'
import { toFrames, useDoors } from '../testing/open-door.ts'

const openDoor = useDoors()

/** A door whose store can be made unreachable. */
function openFragileDoor() {
  const door = openDoor({ limits: { heartbeatMs: 50 } })
  const { authenticate, followEvents } = door.api
  const state = { isAway: false, isRevoked: false, refusals: 0 }
  const look = () => {
    if (!state.isAway) return
    state.refusals += 1
    throw new ToolError('store_unavailable', 'away')
  }
  door.api.authenticate = async (token, runtime) => {
    look()
    return state.isRevoked ? undefined : authenticate(token, runtime)
  }
  door.api.followEvents = async (caller, query) => {
    const follower = await followEvents(caller, query)
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
  }
  return { ...door, state }
}

async function follow({ ask }: ReturnType<typeof openFragileDoor>) {
  const leave = new AbortController()
  const response = await ask('GET', '/api/v1/events?after=now', {
    headers: { accept: 'text/event-stream' },
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
  const { log, state } = door
  const reader = await follow(door)
  const [first] = await log.add(1)
  await expect.poll(reader.frames).toEqual([['call.output', first]])
  state.isAway = true
  const rest = await log.add(2)
  const before = reader.heard.text.length
  await expect.poll(() => state.refusals).toBeGreaterThan(1)
  await expect.poll(() => reader.heard.text.slice(before)).toMatch(/^(: heartbeat\n\n)+$/)
  state.isAway = false
  await expect
    .poll(reader.frames)
    .toEqual([['call.output', first], ...rest.map((id) => ['call.output', id])])
  await reader.stop()
})

test('a key that was revoked during the outage reads nothing after it', async () => {
  const door = openFragileDoor()
  const { log, state } = door
  const reader = await follow(door)
  state.isAway = true
  await log.add(1, 'secret')
  // Seen by the stream, however short it was.
  await expect.poll(() => state.refusals).toBeGreaterThan(2)
  state.isRevoked = true
  state.isAway = false
  await expect.poll(() => reader.heard.isOver).toBe(true)
  expect(reader.frames()).toEqual([['error', undefined]])
  expect(reader.heard.text).toContain('"code":"unauthorized"')
})
