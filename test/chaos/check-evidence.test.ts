import { describe, expect, test } from 'vitest'
import { checkEvidence } from './check-evidence.ts'
import type { Answer, Evidence, GroupFact, LoggedEvent } from './evidence.ts'
import {
  answer,
  failed,
  failedWith,
  input,
  line,
  output,
  rules,
  sound,
  story,
  told,
  write,
} from './evidence.fixture.ts'

test('a run in which all went well has no violations', () => {
  expect(checkEvidence(sound)).toEqual([])
})

test('a checker without input reports that', () => {
  expect(() => checkEvidence({ ...sound, effects: [] })).toThrow('There are no effects to check')
})

describe('of what was answered', () => {
  test('a call that is not stored is a lost acknowledgement', () => {
    const lost = {
      ...answer,
      key: undefined,
      result: { callId: 'call_x', status: 'queued' as const },
    }
    expect(rules({ ...sound, answers: [answer, lost] })).toEqual(['lost acknowledgement'])
  })

  test('an answer that says itself that nothing is confirmed promises nothing', () => {
    const error = { ...failed('record_failed'), code: 'record_failed' as const, retryable: false }
    const unconfirmed = {
      ...answer,
      result: { callId: 'call_x', status: 'failed' as const, error },
    }
    expect(rules({ ...sound, answers: [unconfirmed] })).toEqual([])
  })

  test.each([
    ['another output', { output: { operation: 'other' } }],
    ['another status', { status: 'cancelled' as const }],
  ])('%s than the stored one is a changed result', (_, change) => {
    const other = { ...answer, result: { ...answer.result, ...change } }
    expect(rules({ ...sound, answers: [other] })).toEqual(['changed result'])
  })

  test('a denial stays a denial', () => {
    const denied = { ...answer, http: 403, result: { callId: 'call_w', code: 'denied' } }
    expect(rules({ ...sound, answers: [denied] })).toEqual(['changed result'])
  })

  test('another input or tool than the one asked for is a changed call', () => {
    const otherInput = { ...answer, input: { ...input, operation: 'o2' } }
    const otherTool = { ...answer, key: undefined, tool: 'chaos.put' }
    expect(rules({ ...sound, answers: [otherInput, otherTool] })).toEqual([
      'changed call',
      'changed call',
    ])
  })

  test('a key that names two calls is found', () => {
    const second = { ...write, callId: 'call_v', tool: 'chaos.write' }
    const events = [
      ...sound.events,
      ...story('call_v', 'call.requested', 'call.started', 'call.completed'),
    ]
    const more = {
      calls: [write, second],
      events,
      followed: events,
      streamed: events,
      listed: ['call_w', 'call_v'],
    }
    const effects = [
      ...sound.effects,
      { ...line, callId: 'call_v' },
      { ...line, what: 'effect' as const, callId: 'call_v', operation: 'o2' },
    ]
    expect(rules({ ...sound, ...more, effects })).toEqual(['key used twice'])
  })

  test('a list that leaves a call out, or gives it twice, is wrong', () => {
    expect(rules({ ...sound, listed: [] })).toEqual(['wrong list'])
    expect(rules({ ...sound, listed: ['call_w', 'call_w'] })).toEqual(['wrong list'])
  })

  test('a fault is answered with 429, 503 or nothing, and with nothing else', () => {
    const answered = (http: number, request: Answer['request'] = 'call') => ({
      ...answer,
      request,
      http,
      result: { code: 'some' },
    })
    const expected = [answered(429), answered(503), answered(409, 'cancel')]
    expect(rules({ ...sound, answers: expected })).toEqual([])
    const wrong = [answered(500), answered(401), answered(404, 'look'), answered(409)]
    expect(rules({ ...sound, answers: wrong })).toEqual(wrong.map(() => 'unexpected answer'))
  })

  test('of a call that was never confirmed there may be nothing to find', () => {
    const error = { code: 'record_failed' as const, message: 'It may still run', retryable: false }
    const doubt = { ...answer, result: { callId: 'call_d', status: 'failed' as const, error } }
    const gone = { ...answer, request: 'look' as const, callId: 'call_d', http: 404, result: {} }
    expect(rules({ ...sound, answers: [answer, doubt, gone] })).toEqual([])
    const other = { ...gone, callId: 'call_w' }
    expect(rules({ ...sound, answers: [answer, doubt, other] })).toEqual(['unexpected answer'])
  })
})

describe('of what really happened', () => {
  const twice = [
    ...sound.effects,
    { ...line, run: 'r2' },
    { ...line, run: 'r2', what: 'effect' as const },
  ]

  test('a second run of what must run once is a violation, logged or not', () => {
    expect(rules({ ...sound, effects: twice })).toEqual(['effect twice', 'unlogged start'])
  })

  test('unless the record says that nobody knows', () => {
    const unknown = told(
      { status: 'failed', error: failed('outcome_unknown'), attempt: 2 },
      'call.requested',
      'call.queued',
      'call.started',
      'call.queued',
      'call.started',
      'call.failed',
    )
    expect(rules({ ...failedWith(unknown, 'outcome_unknown'), effects: twice })).toEqual([])
  })

  test('a repeatable tool may run again in a later attempt, but not unseen', () => {
    const put = twice.map((entry) => ({ ...entry, tool: 'chaos.put' }))
    const again = told(
      { tool: 'chaos.put', attempt: 2 },
      'call.requested',
      'call.started',
      'call.started',
      'call.completed',
    )
    expect(rules({ ...again, effects: put })).toEqual([])
    const unseen = told({ tool: 'chaos.put' }, 'call.requested', 'call.started', 'call.completed')
    expect(rules({ ...unseen, effects: put })).toEqual(['unlogged start'])
  })

  test('an end that a worker recorded after another had begun is found', () => {
    const put = twice.map((entry) => ({ ...entry, tool: 'chaos.put' }))
    const types = ['call.requested', 'call.started', 'call.started', 'call.completed'] as const
    const endedBy = (run: string) => ({
      ...told({ tool: 'chaos.put', attempt: 2, output: { operation: 'o1', run } }, ...types),
      effects: put,
    })
    expect(rules(endedBy('r2'))).toEqual([])
    expect(rules(endedBy('r1'))).toEqual(['fenced worker settled'])
  })

  test('what a client wanted once and two calls did is a violation', () => {
    const second = { ...write, callId: 'call_v', key: 'k2' }
    const events = [
      ...sound.events,
      ...story('call_v', 'call.requested', 'call.started', 'call.completed'),
    ]
    const effects = [
      ...sound.effects,
      ...sound.effects.map((entry) => ({ ...entry, callId: 'call_v' })),
    ]
    const both = {
      calls: [write, second],
      events,
      followed: events,
      streamed: events,
      listed: ['call_w', 'call_v'],
    }
    expect(rules({ ...sound, ...both, effects })).toEqual(['effect twice'])
  })

  test('an effect without a record is found', () => {
    const stray = { ...line, callId: 'call_x', operation: 'o9' }
    expect(rules({ ...sound, effects: [...sound.effects, stray] })).toEqual([
      'effect without a record',
    ])
  })

  test('a call that completed without its effect is found', () => {
    expect(rules({ ...sound, effects: [line] })).toEqual(['effect missing'])
  })

  test('a record that denies what happened is found', () => {
    const interrupted = told(
      { status: 'failed', error: failed('interrupted') },
      'call.requested',
      'call.started',
      'call.failed',
    )
    expect(rules(failedWith(interrupted, 'interrupted'))).toEqual(['denied effect'])
    expect(rules(told({ status: 'denied' }, 'call.requested', 'call.denied'))).toEqual([
      'unlogged start',
      'denied effect',
    ])
  })
})

describe('of ends', () => {
  test('a call that does not end is found, one that waits for somebody is not', () => {
    const running = told(
      { status: 'running', hasSettledAt: false },
      'call.requested',
      'call.started',
    )
    expect(rules(running)).toEqual(['never settled'])
    const waiting = told(
      { status: 'waiting', hasSettledAt: false },
      'call.requested',
      'call.started',
      'call.waiting',
    )
    expect(rules(waiting)).toEqual([])
  })

  test('a call that ends twice is found', () => {
    const twice = told({}, 'call.requested', 'call.started', 'call.completed', 'call.completed')
    expect(rules(twice)).toEqual(['settled twice', 'impossible order'])
  })

  test('an end that the log does not tell is found', () => {
    expect(rules(told({}, 'call.requested', 'call.started'))).toEqual([
      'end without event',
      'impossible order',
    ])
  })

  test('an end that the log tells otherwise is found', () => {
    const other = told({ status: 'cancelled' }, 'call.requested', 'call.started', 'call.completed')
    expect(rules(other)).toEqual(['other end', 'impossible order'])
    const code = told(
      { status: 'failed', error: failed('timeout') },
      'call.requested',
      'call.started',
      'call.failed',
    )
    expect(rules(failedWith(code, 'tool_failed'))).toEqual(['other end'])
  })

  test('an end that only half of the record knows is found', () => {
    expect(rules({ ...sound, calls: [{ ...write, hasSettledAt: false }] })).toEqual([
      'half settled',
    ])
    const again = told(
      { status: 'queued', hasSettledAt: false },
      'call.requested',
      'call.started',
      'call.completed',
    )
    expect(rules(again)).toEqual(['never settled', 'unsettled again', 'impossible order'])
  })
})

describe('of the story of a call', () => {
  test('a gap in the numbers is found, and one at the end', () => {
    const events = sound.events.map((event) => (event.seq === 3 ? { ...event, seq: 4 } : event))
    expect(rules({ ...sound, events, followed: events, streamed: events })).toEqual([
      'gap in numbers',
    ])
    expect(rules({ ...sound, calls: [{ ...write, lastSeq: 4 }] })).toEqual(['gap in numbers'])
  })

  test.each([
    ['no request', ['call.started', 'call.completed']],
    ['two requests', ['call.requested', 'call.requested', 'call.started', 'call.completed']],
    ['an end from the queue', ['call.requested', 'call.queued', 'call.completed']],
    ['an end before the start', ['call.requested', 'call.completed', 'call.started']],
    [
      'output in the queue',
      ['call.requested', 'call.queued', 'call.output', 'call.started', 'call.completed'],
    ],
    ['output after the end', ['call.requested', 'call.started', 'call.completed', 'call.output']],
    [
      'a second start of what must run once',
      ['call.requested', 'call.started', 'call.started', 'call.completed'],
    ],
  ] as const)('%s is impossible', (_, types) => {
    expect(rules(told({}, ...types))).toContain('impossible order')
  })

  test('an attempt that the log does not tell is found', () => {
    expect(rules({ ...sound, calls: [{ ...write, attempt: 2 }] })).toEqual(['missing event'])
  })

  test('a story without a call is found', () => {
    const events = [...sound.events, ...story('call_x', 'call.requested')]
    expect(rules({ ...sound, events, followed: events, streamed: events })).toEqual([
      'events without a call',
    ])
  })
})

describe('of the feed', () => {
  const [first, second, third] = sound.events as [LoggedEvent, LoggedEvent, LoggedEvent]

  test.each([
    ['event skipped', [first, third]],
    ['event seen twice', [first, second, second, third]],
    ['feed out of order', [first, third, second]],
    ['event changed', [first, second, { ...third, data: 'other' }]],
    ['event vanished', [first, second, third, { ...third, seq: 4 }]],
  ])('%s', (rule, followed) => {
    expect(rules({ ...sound, followed })).toEqual([rule])
    expect(rules({ ...sound, streamed: followed })).toEqual([rule])
  })
})

describe('of decisions and outside results', () => {
  const waited = [
    'call.requested',
    'call.waiting',
    'call.queued',
    'call.started',
    'call.completed',
  ] as const
  const careful = (...answers: Partial<Answer>[]): Evidence => ({
    ...told({ tool: 'chaos.careful' }, ...waited),
    answers: answers.map((more) => ({
      ...answer,
      tool: 'chaos.careful',
      key: undefined,
      callId: 'call_w',
      result: {},
      ...more,
    })),
    effects: sound.effects.map((entry) => ({ ...entry, tool: 'chaos.careful' })),
  })
  const approved = { request: 'decide' as const, decision: 'approve' as const }

  test('an approval that was taken once is fine, also when others came too late', () => {
    expect(rules(careful(approved, { ...approved, http: 409 }))).toEqual([])
  })

  test('two decisions that were both taken are found', () => {
    expect(rules(careful(approved, approved))).toEqual(['accepted twice'])
  })

  test('a rejection that was taken and not held is found', () => {
    const rejected = { request: 'decide' as const, decision: 'reject' as const }
    expect(rules(careful({ ...approved, http: undefined }, rejected))).toEqual([
      'decision not held',
    ])
  })

  test('a call that ran although nobody approved it is found', () => {
    expect(rules(careful({}))).toEqual(['ran unasked', 'ran unasked'])
  })

  test('a response that was accepted is the one that is stored', () => {
    const complete = { request: 'complete' as const, decision: undefined, http: 202 }
    const external = (response: object) => ({
      ...careful({ ...complete, tool: 'chaos.write', response: { ...response } }),
      calls: [{ ...write, lastSeq: 5 }],
      effects: sound.effects,
    })
    expect(rules(external(output))).toEqual([])
    expect(rules(external({ operation: 'other' }))).toEqual(['decision not held'])
  })
})

describe('of groups', () => {
  const group: GroupFact = {
    groupId: 'g',
    isSealed: true,
    isContinued: true,
    counted: { members: 1, pending: 0, failed: 0 },
    members: ['call_w'],
    events: ['group.sealed', 'group.settled', 'group.continued'],
    continuations: [{ results: ['call_w'] }],
    hasLostWaiter: false,
  }
  const once = group.continuations
  const cutOff = [{ results: ['call_w'], isCutOff: true }]
  const open = { isSealed: false, isContinued: false, events: [] }
  const settled = { isContinued: false, events: group.events.slice(0, 2) }
  const two = { members: ['call_w', 'call_x'], counted: { members: 2, pending: 1, failed: 0 } }

  test.each<[string, string[], Partial<GroupFact>]>([
    ['one that went on once is fine', [], {}],
    ['an open one may wait', [], { ...open, continuations: [] }],
    ['twice is once too often', ['continued twice'], { continuations: [...once, ...once] }],
    ['what was cut off may be begun again', [], { continuations: [...cutOff, ...once] }],
    ['never is found', ['never continued'], { ...settled, continuations: [] }],
    ['only on paper is found', ['never continued'], { continuations: [] }],
    ['who died with it in hand had it', [], { continuations: [], hasLostWaiter: true }],
    ['a record that does not know is found', ['never continued'], settled],
    [
      'a member is left out',
      ['continued early'],
      { ...two, events: ['group.sealed', 'group.continued'] },
    ],
    ['an open one goes on', ['continued early'], open],
    ['a result is missing', ['results out of order'], { continuations: [{ results: [] }] }],
    ['it is counted wrong', ['wrong count'], { counted: { ...group.counted, failed: 1 } }],
    ['it is not told of', ['missing event'], { events: ['group.sealed', 'group.continued'] }],
  ])('%s', (_, found, change) => {
    expect(rules({ ...sound, groups: [{ ...group, ...change }] })).toEqual(found)
  })
})
