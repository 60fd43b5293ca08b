import { describe, expect, test } from 'vitest'
import { freshTenant, settlementOf, startOf } from '../../../store/contract/records.ts'
import type { OpenStore } from '../../../store/open-store.ts'
import type { EventEntry } from '../../../core/events/event.ts'
import type { StoredQuestion } from '../model.ts'
import {
  anEnd,
  aQuestion,
  askedEvent,
  askedIn,
  hour,
  noon,
  questionsOf,
  settlementFor,
} from './testing/questions.ts'

const system = { kind: 'system', id: 'toolcrib' } as const

async function typesOf(store: OpenStore, tenant: string): Promise<string[]> {
  const { items } = await store.events.read(tenant, { limit: 100 })
  return items.map(({ type }) => type).filter((type) => type.startsWith('question.'))
}

function withdrawnEvent({ id, callId }: StoredQuestion): EventEntry {
  const data = { questionId: id, callId }
  return { principal: system, event: { type: 'question.withdrawn', data } }
}

/** Questions as calls ask them, people answer them and time ends them. */
export function describeQuestions(store: () => OpenStore): void {
  describe('questions', () => {
    test('a question is found as it was asked, in its own tenant alone', async () => {
      const tenant = freshTenant()
      const questions = questionsOf(store())
      const plain = await askedIn(store(), tenant)
      const full = await askedIn(store(), tenant, {
        text: 'All of it',
        form: { order: ['amount'] },
        askedBy: { principal: system, agent: 'support' },
        sessionId: 's1',
        remindEveryMs: hour,
        remindMs: noon + hour,
        onExpiry: { amount: 0 },
      })
      expect(await questions.find(tenant, plain.id)).toEqual(plain)
      expect(await questions.find(tenant, full.id)).toEqual(full)
      expect(await questions.findOfCall(tenant, full.callId)).toEqual(full)
      expect(await questions.find(freshTenant(), plain.id)).toBeUndefined()
      for (const id of ['', 'qst_1', 'nonsense', `qst_${'0'.repeat(32)}`, plain.id.slice(4)])
        expect(await questions.find(tenant, id)).toBeUndefined()
      expect(await typesOf(store(), tenant)).toEqual(['question.asked', 'question.asked'])
    })

    test('a call asks one question, and none once it has ended', async () => {
      const tenant = freshTenant()
      const questions = questionsOf(store())
      const { callId } = await askedIn(store(), tenant)
      expect(await questions.ask(aQuestion(tenant, { callId }), askedEvent())).toBe(false)
      const call = startOf(tenant, { tool: 'flow.ask' })
      await store().calls.open(call)
      await store().calls.settle(settlementOf(call))
      const late = aQuestion(tenant, { callId: call.callId })
      expect(await questions.ask(late, askedEvent())).toBe(false)
      expect(await questions.ask(aQuestion(tenant), askedEvent())).toBe(false)
      expect((await questions.list(tenant, { limit: 10 })).items).toHaveLength(1)
      expect(await typesOf(store(), tenant)).toEqual(['question.asked'])
    })

    test('of several answers at once, one ends the question and its call', async () => {
      const tenant = freshTenant()
      const questions = questionsOf(store())
      const asked = await askedIn(store(), tenant)
      const answers = Array.from({ length: 6 }, (_, amount) =>
        questions.end(asked, anEnd({ answer: { amount } }), settlementFor(asked)),
      )
      const won = (await Promise.all(answers)).flatMap((isFirst, at) => (isFirst ? [at] : []))
      expect(won).toHaveLength(1)
      const { status: _status, ...end } = anEnd({ answer: { amount: won[0] ?? -1 } })
      expect(await questions.find(tenant, asked.id)).toEqual({ ...asked, status: 'answered', end })
      expect(await store().calls.find(tenant, asked.callId)).toMatchObject({ status: 'completed' })
      expect(await typesOf(store(), tenant)).toEqual(['question.asked', 'question.answered'])
    })

    test('a question whose call ends otherwise is withdrawn by that, with one event', async () => {
      const tenant = freshTenant()
      const questions = questionsOf(store())
      const asked = await askedIn(store(), tenant)
      await store().calls.settle(settlementFor(asked))
      expect(await questions.find(tenant, asked.id)).toMatchObject({ status: 'withdrawn' })
      const mine = { people: ['role:operator'], limit: 5 }
      expect((await questions.list(tenant, { ...mine, status: 'pending' })).items).toEqual([])
      expect((await questions.list(tenant, { ...mine, status: 'withdrawn' })).items).toHaveLength(1)
      expect(await questions.end(asked, anEnd(), settlementFor(asked))).toBe(false)
      await Promise.all([1, 2, 3].map(() => questions.tellWithdrawn(withdrawnEvent, 100)))
      const told = await typesOf(store(), tenant)
      expect(told.filter((type) => type === 'question.withdrawn')).toHaveLength(1)
    })

    test('of several nodes that send a reminder, one counts it', async () => {
      const tenant = freshTenant()
      const questions = questionsOf(store())
      const first = { remindEveryMs: hour, remindMs: noon + hour }
      const asked = await askedIn(store(), tenant, first)
      const tries = [1, 2, 3].map(() => questions.remind(asked, noon + 2 * hour, askedEvent()))
      expect((await Promise.all(tries)).filter(Boolean)).toHaveLength(1)
      const now = await questions.find(tenant, asked.id)
      expect(now).toMatchObject({ reminders: 1, remindMs: noon + 2 * hour })
    })

    test('due are those that have expired or need a reminder, of all tenants', async () => {
      const [one, other] = [freshTenant(), freshTenant()]
      const questions = questionsOf(store())
      const early = noon - 100 * hour
      const expired = await askedIn(store(), one, { expiresMs: early })
      const reminded = await askedIn(store(), other, { remindMs: early + 1 })
      await askedIn(store(), one)
      const due = await questions.listDue(early + 2, 100)
      const own = due.filter(({ tenant }) => [one, other].includes(tenant))
      expect(own.map(({ id }) => id)).toEqual([expired.id, reminded.id])
      await questions.end(expired, anEnd({ status: 'expired' }), settlementFor(expired))
      await questions.remind(reminded, undefined, askedEvent())
      const left = await questions.listDue(early + 2, 100)
      expect(left.filter(({ tenant }) => [one, other].includes(tenant))).toEqual([])
    })

    test('lists are paged in both orders, by status and by people', async () => {
      const tenant = freshTenant()
      const questions = questionsOf(store())
      const ids: string[] = []
      for (const people of [['user:a'], ['user:a', 'role:x'], ['role:x'], ['user:b']])
        ids.push((await askedIn(store(), tenant, { people })).id)
      const read = async (query: object) => {
        const { items, next } = await questions.list(tenant, { limit: 2, ...query })
        return { ids: items.map(({ id }) => id), next }
      }
      const [a, b, c, d] = ids
      expect(await read({})).toEqual({ ids: [d, c], next: c })
      expect(await read({ after: c })).toEqual({ ids: [b, a], next: undefined })
      expect(await read({ order: 'oldest' })).toEqual({ ids: [a, b], next: b })
      expect(await read({ people: ['user:a', 'role:x'] })).toEqual({ ids: [c, b], next: b })
      expect(await read({ people: ['user:a', 'role:x'], after: b })).toEqual({
        ids: [a],
        next: undefined,
      })
      expect(await read({ people: [] })).toEqual({ ids: [], next: undefined })
      expect(await read({ status: 'answered' })).toEqual({ ids: [], next: undefined })
      await expect(read({ after: 'nonsense' })).rejects.toMatchObject({ code: 'invalid_request' })
    })

    test('a page of ten thousand pending questions is read as fast as any', async () => {
      const tenant = freshTenant()
      const questions = questionsOf(store())
      const { executeSql } = store().engine.sql
      const ids = `select $1::text as tenant, gen_random_uuid() as id from generate_series(1, 10000)`
      await executeSql(
        `with made as (insert into questions (tenant, id, call_id, status, principal, spec,
            created_ms, expires_ms)
          select tenant, id, gen_random_uuid(), 'pending', 'user:a', '{"title":"x","to":[]}', 1, 2e14
          from (${ids}) n returning tenant, id)
        insert into question_people (tenant, question_id, person, status)
          select tenant, id, person, 'pending' from made, (values ('role:x'), ('user:a')) p (person)`,
        [tenant],
      )
      const times: number[] = []
      const people = ['role:x', 'user:a', 'user:b', 'role:y']
      for (let at = 0; at < 5; at += 1) {
        const begun = performance.now()
        const page = await questions.list(tenant, { people, status: 'pending', limit: 50 })
        times.push(performance.now() - begun)
        expect(page.items).toHaveLength(50)
      }
      expect(Math.min(...times)).toBeLessThan(100)
      await executeSql('delete from question_people where tenant = $1', [tenant])
      await executeSql('delete from questions where tenant = $1', [tenant])
    })

    test('reassigned, a question leaves the lists of those it was put to', async () => {
      const tenant = freshTenant()
      const questions = questionsOf(store())
      const asked = await askedIn(store(), tenant, { people: ['user:a', 'by:user:c'] })
      const to = { to: ['user:b'], people: ['user:b', 'by:user:c'] }
      expect(await questions.reassign(asked, to, askedEvent())).toBe(true)
      expect(await questions.find(tenant, asked.id)).toEqual({ ...asked, ...to })
      const countOf = async (...people: string[]) =>
        (await questions.list(tenant, { people, limit: 5 })).items.length
      const counts = await Promise.all(['user:a', 'user:b', 'by:user:c'].map((one) => countOf(one)))
      expect(counts).toEqual([0, 1, 1])
      await questions.end(asked, anEnd(), settlementFor(asked))
      expect(await questions.reassign(asked, to, askedEvent())).toBe(false)
    })
  })
}
