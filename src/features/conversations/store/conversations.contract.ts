import { describe, expect, test } from 'vitest'
import type { Caller } from '../../../core/kernel/call.ts'
import { noUsage } from '../../../core/conversations/conversation.ts'
import type { TurnBegin, TurnStep } from '../../../core/conversations/conversation-store.ts'
import { createId } from '../../../core/kernel/ids.ts'
import type { Stores } from '../../stores.ts'
import { eventOf, freshTenant } from '../../../store/contract/records.ts'

const leaseMs = 60_000
const ann = { kind: 'user', id: 'mem_ann' } as const
const bob = { kind: 'user', id: 'mem_bob' } as const

/** The contract of every store for conversations and turns. */
export function describeConversations(store: () => Stores): void {
  const talk = (
    tenant: string,
    more: { principal?: typeof ann | typeof bob; clientId?: string } = {},
  ) =>
    store().conversations.open({
      id: createId('conv'),
      tenant,
      agent: 'helper',
      principal: ann,
      kind: 'chat',
      ...more,
    })
  const begin = (tenant: string, conversationId: string, more: Partial<TurnBegin> = {}) => {
    const caller: Caller = { tenant, principal: ann, permissions: ['*'], runtime: 'chat' }
    const turn = {
      id: createId('turn'),
      tenant,
      conversationId,
      agent: 'helper',
      caller,
      bounds: { maxSteps: 15 },
      messageId: createId('msg'),
      position: 0,
      ...more.turn,
    }
    const event = eventOf('turn.started', { turnId: turn.id })
    return { told: { principal: ann, event }, ...more, turn }
  }
  const said = (id: string, text = 'hi') => ({
    id,
    role: 'user' as const,
    parts: [{ type: 'text', text }],
  })
  const stepOf = (messageId: string, step: number, text: string): TurnStep => ({
    step,
    message: { id: messageId, role: 'assistant', parts: [{ type: 'text', text }] },
    usage: { ...noUsage, modelCalls: step },
  })
  const ended = (turnId: string) => ({
    status: 'completed' as const,
    told: {
      principal: ann,
      event: eventOf('turn.completed', { turnId }),
    },
  })
  const claim = async (turnId: string) => {
    const [turn] = await store().conversations.claimTurns({ leaseMs, limit: 1, turnId })
    return turn
  }
  const textsOf = async (tenant: string, id: string) =>
    (await store().conversations.listMessages(tenant, id, { limit: 100 })).map(
      ({ position, role, parts }) => [position, role, (parts[0] as { text: string }).text],
    )

  describe('conversations', () => {
    test('a client id is one conversation for its owner and agent, and another for others', async () => {
      const tenant = freshTenant()
      const [first, same] = await Promise.all([
        talk(tenant, { clientId: 'chat\u0000 1' }),
        talk(tenant, { clientId: 'chat\u0000 1' }),
      ])
      expect(same.id).toBe(first.id)
      expect((await talk(tenant, { clientId: 'chat\u0000 1', principal: bob })).id).not.toBe(
        first.id,
      )
      const { conversations } = store()
      expect(await conversations.find(freshTenant(), first.id)).toBeUndefined()
      expect(await conversations.find(tenant, 'nonsense')).toBeUndefined()
      const { items } = await conversations.list(tenant, { principal: ann, limit: 10 })
      expect(items.map(({ id }) => id)).toEqual([first.id])
    })

    test('one turn at a time: the second finds the first, and a message is taken once', async () => {
      const tenant = freshTenant()
      const { id } = await talk(tenant)
      const [one, two] = [
        begin(tenant, id, { message: said('m1') }),
        begin(tenant, id, { message: said('m2') }),
      ]
      const results = await Promise.all(
        [one, two].map((each) => store().conversations.beginTurn(each)),
      )
      expect(results.map(({ kind }) => kind).sort()).toEqual(['begun', 'busy'])
      const again = begin(tenant, id, { message: said(results[0]?.kind === 'begun' ? 'm1' : 'm2') })
      expect(await store().conversations.beginTurn(again)).toEqual({ kind: 'repeated' })
      expect(await store().conversations.beginTurn(begin(tenant, createId('conv')))).toEqual({
        kind: 'gone',
      })
      const busy = await store().conversations.find(tenant, id)
      expect([one.turn.id, two.turn.id]).toContain(busy?.turnId)
      const { items } = await store().events.read(tenant, { limit: 10, types: ['turn.started'] })
      expect(items.map(({ sessionId, agent }) => [sessionId, agent])).toEqual([[id, 'helper']])
    })

    test('a turn is worked on by one, and what an older attempt writes is not taken', async () => {
      const tenant = freshTenant()
      const { id } = await talk(tenant)
      const { turn, ...rest } = begin(tenant, id, { message: said('m1'), title: 'Talk' })
      await store().conversations.beginTurn({ turn, ...rest })
      const claims = await Promise.all([claim(turn.id), claim(turn.id)])
      expect(claims.filter((one) => one !== undefined)).toHaveLength(1)
      await store().conversations.yieldTurn(
        { tenant, turnId: turn.id, attempt: 1 },
        { ...noUsage, modelCalls: 1, cutOffCalls: 1 },
      )
      const later = await claim(turn.id)
      expect(later).toMatchObject({ status: 'running', attempt: 2, step: 0, caller: turn.caller })
      expect(later?.usage).toEqual({ ...noUsage, modelCalls: 1, cutOffCalls: 1 })
      const { conversations } = store()
      const old = { tenant, turnId: turn.id, attempt: 1 }
      const lease = { ...old, attempt: 2 }
      expect(await conversations.keepTurn(old, leaseMs)).toBeUndefined()
      expect(await conversations.saveStep(old, stepOf(turn.messageId, 1, 'old'))).toBe(false)
      expect(
        await conversations.endTurn(old, stepOf(turn.messageId, 1, 'old'), ended(turn.id)),
      ).toBe(false)
      expect(await conversations.appendChunks(old, 0, [{ type: 'start' }])).toBe(false)
      expect(await conversations.appendChunks(lease, 0, [{ n: 0 }, { n: 1 }])).toBe(true)
      expect(await conversations.appendChunks(lease, 2, [{ n: 2 }])).toBe(true)
      expect(await conversations.readChunks(tenant, turn.id, 1)).toEqual([{ n: 1 }, { n: 2 }])
      expect(await conversations.saveStep(lease, stepOf(turn.messageId, 1, 'a'))).toBe(true)
      const last = { ...stepOf(turn.messageId, 2, 'ab'), wireNames: { file_read: 'file.read' } }
      expect(await conversations.endTurn(lease, last, ended(turn.id))).toBe(true)
      expect(await conversations.endTurn(lease, last, ended(turn.id))).toBe(false)
      expect(await textsOf(tenant, id)).toEqual([
        [1, 'user', 'hi'],
        [2, 'assistant', 'ab'],
      ])
      const after = await conversations.find(tenant, id)
      expect(after).toMatchObject({
        messages: 2,
        title: 'Talk',
        wireNames: { file_read: 'file.read' },
      })
      expect(after?.turnId).toBeUndefined()
      expect(await conversations.findTurn(tenant, turn.id)).toMatchObject({
        status: 'completed',
        step: 2,
      })
      expect(await claim(turn.id)).toBeUndefined()
      const { items } = await conversations.listTurns(tenant, { limit: 10 })
      expect(items.map((one) => [one.id, one.title])).toEqual([[turn.id, 'Talk']])
    })

    test('a turn that waits is resumed for its own group alone, and once', async () => {
      const tenant = freshTenant()
      const { conversations } = store()
      const { id } = await talk(tenant)
      const started = begin(tenant, id)
      await conversations.beginTurn(started)
      const turnId = started.turn.id
      const attempt = (await claim(turnId))?.attempt ?? 0
      const lease = { tenant, turnId, attempt }
      const groupId = createId('group')
      const waiting = {
        groupId,
        isMade: true,
        calls: [{ toolCallId: 't1', callId: createId('call') }],
      }
      expect(
        await conversations.waitTurn(lease, stepOf(started.turn.messageId, 1, 'x'), waiting),
      ).toBe(true)
      expect(await conversations.releaseTurn(lease)).toBe(true)
      expect(await claim(turnId)).toBeUndefined()
      const from = { groupId, leaseMs }
      expect(
        await conversations.resumeTurn(tenant, turnId, { ...from, groupId: createId('group') }),
      ).toBeUndefined()
      const both = await Promise.all(
        [1, 2].map(() => conversations.resumeTurn(tenant, turnId, from)),
      )
      const resumed = both.filter((one) => one !== undefined)
      expect(resumed).toEqual([
        expect.objectContaining({ status: 'running', attempt: attempt + 1, waiting }),
      ])
    })

    test('a cancelled turn that waits is handed out to be ended, once', async () => {
      const tenant = freshTenant()
      const { conversations } = store()
      const { id } = await talk(tenant)
      const started = begin(tenant, id)
      await conversations.beginTurn(started)
      const turnId = started.turn.id
      const lease = { tenant, turnId, attempt: (await claim(turnId))?.attempt ?? 0 }
      const waiting = { groupId: createId('group'), isMade: true, calls: [] }
      await conversations.waitTurn(lease, stepOf(started.turn.messageId, 1, 'x'), waiting)
      await conversations.releaseTurn(lease)
      await conversations.requestCancel(freshTenant(), turnId)
      const stopped = async () =>
        (await conversations.claimStopped({ leaseMs, limit: 1000 })).filter(
          (one) => one.id === turnId,
        )
      expect(await stopped()).toEqual([])
      await conversations.requestCancel(tenant, turnId)
      expect(await stopped()).toMatchObject([{ status: 'running', cancelRequested: true, waiting }])
      expect(await stopped()).toEqual([])
    })

    test('messages that are replaced from a place on are archived', async () => {
      const tenant = freshTenant()
      const { conversations } = store()
      const { id } = await talk(tenant)
      const first = begin(tenant, id, { message: said('m1', 'one') })
      await conversations.beginTurn(first)
      const lease = {
        tenant,
        turnId: first.turn.id,
        attempt: (await claim(first.turn.id))?.attempt ?? 0,
      }
      await conversations.endTurn(
        lease,
        stepOf(first.turn.messageId, 1, 'answer'),
        ended(first.turn.id),
      )
      await conversations.saveCompaction(tenant, id, { upTo: 2, text: 'it was about one' })
      const again = begin(tenant, id, { message: said('m1', 'two'), replaceFrom: 1 })
      // The same id, in its own place.
      expect(await conversations.beginTurn(again)).toEqual({ kind: 'begun' })
      expect(await textsOf(tenant, id)).toEqual([[3, 'user', 'two']])
      // Withdrawn messages are no longer summarised.
      expect(await conversations.findCompaction(tenant, id)).toBeUndefined()
      expect(await conversations.remove(tenant, id, ended('x').told)).toBe(false)
    })

    test("calls at the same time keep each other's keys, and hear when they wrote over one", async () => {
      const tenant = freshTenant()
      const { conversations } = store()
      const { id } = await talk(tenant)
      const patch = (key: string, value: number, seen?: string) =>
        conversations.patchState(tenant, id, {
          set: { [key]: value },
          remove: [],
          seen: { [key]: seen },
          maxBytes: 100,
        })
      expect(await Promise.all([patch('a', 1), patch('b', 2)])).toEqual([[], []])
      expect(await conversations.readState(tenant, id)).toEqual({ a: 1, b: 2 })
      expect(await patch('a', 3)).toEqual(['a'])
      expect(await patch('a', 4, '3')).toEqual([])
      await expect(patch('x'.repeat(100), 1)).rejects.toMatchObject({ code: 'quota_exceeded' })
      expect(await conversations.readState(tenant, id)).toEqual({ a: 4, b: 2 })
    })

    test('a conversation goes with all that is in it, and a busy one stays', async () => {
      const tenant = freshTenant()
      const { conversations } = store()
      const { id } = await talk(tenant)
      const first = begin(tenant, id, { message: said('m1') })
      await conversations.beginTurn(first)
      const event = eventOf('conversation.deleted', {})
      const told = { principal: ann, event }
      expect(await conversations.remove(tenant, id, told)).toBe(false)
      const turnId = first.turn.id
      const lease = { tenant, turnId, attempt: (await claim(turnId))?.attempt ?? 0 }
      await conversations.appendChunks(lease, 0, [{ type: 'start' }])
      await conversations.endTurn(lease, stepOf(first.turn.messageId, 1, 'x'), ended(turnId))
      expect(await conversations.remove(freshTenant(), id, told)).toBe(false)
      expect(await conversations.remove(tenant, id, told)).toBe(true)
      expect(await conversations.find(tenant, id)).toBeUndefined()
      expect(await conversations.findTurn(tenant, turnId)).toBeUndefined()
      expect(await conversations.listMessages(tenant, id, { limit: 10 })).toEqual([])
      expect(await conversations.readChunks(tenant, turnId, 0)).toEqual([])
    })

    test('streamed chunks are removed long after their turn has ended, in small steps', async () => {
      const tenant = freshTenant()
      const { conversations } = store()
      const stream = async () => {
        const { turn, ...rest } = begin(tenant, (await talk(tenant)).id)
        await conversations.beginTurn({ turn, ...rest })
        const attempt = (await claim(turn.id))?.attempt ?? 0
        const lease = { tenant, turnId: turn.id, attempt }
        for (const n of [0, 1, 2]) await conversations.appendChunks(lease, n, [{ n }])
        return { lease, turn }
      }
      const [over, running] = [await stream(), await stream()]
      const last = stepOf(over.turn.messageId, 1, 'x')
      await conversations.endTurn(over.lease, last, ended(over.turn.id))
      const left = async () =>
        Promise.all(
          [over, running].map(
            async ({ turn }) => (await conversations.readChunks(tenant, turn.id, 0)).length,
          ),
        )
      await conversations.removeChunks(Date.now() - 60_000, 2)
      expect(await left()).toEqual([3, 3])
      while ((await conversations.removeChunks(Date.now() + 60_000, 2)) > 0);
      expect(await left()).toEqual([0, 3])
    })

    test('turns of a tenant that has enough of them are left to others', async () => {
      const tenant = freshTenant()
      const { id } = await talk(tenant)
      const { conversations } = store()
      const { turn } = begin(tenant, id)
      await conversations.beginTurn(begin(tenant, id, { turn }))
      const claim = (except: readonly string[]) =>
        conversations.claimTurns({ leaseMs, limit: 1, turnId: turn.id, except })
      expect(await claim([freshTenant(), tenant])).toEqual([])
      expect(await claim([freshTenant()])).toMatchObject([{ id: turn.id, attempt: 1 }])
    })

    test('files come back byte by byte, to their own conversation alone', async () => {
      const tenant = freshTenant()
      const { conversations } = store()
      const { id } = await talk(tenant)
      const file = {
        id: createId('file'),
        mediaType: 'image/png',
        name: 'a.png',
        bytes: new Uint8Array([0, 255, 7]),
      }
      expect(await conversations.beginTurn(begin(tenant, id, { files: [file] }))).toEqual({
        kind: 'begun',
      })
      const late = begin(tenant, id, { files: [{ ...file, id: createId('file') }] })
      expect(await conversations.beginTurn(late)).toMatchObject({ kind: 'busy' })
      expect(await conversations.readFile(tenant, id, file.id)).toEqual(file)
      expect(await conversations.readFile(freshTenant(), id, file.id)).toBeUndefined()
      const listed = { id: file.id, mediaType: 'image/png', name: 'a.png', size: 3 }
      expect(await conversations.listFiles(tenant, id)).toEqual([listed])
    })
  })
}
