import { expect, test } from 'vitest'
import type { LoggedEvent, ScheduleRunFact } from '../evidence.ts'
import { rules, sound } from '../evidence.fixture.ts'

const first: ScheduleRunFact = { runId: 'srun_1', scheduleId: 's', dueMs: 1000, isManual: false }
const second = { ...first, runId: 'srun_2', dueMs: 2000 }
const fired = ({ runId }: ScheduleRunFact): LoggedEvent => ({
  stream: `of ${runId}`,
  isCall: false,
  seq: 1,
  type: 'schedule.fired',
  data: { runId },
})

function rulesOf(scheduleRuns: ScheduleRunFact[], told: readonly LoggedEvent[]): string[] {
  const events = [...sound.events, ...told]
  return rules({ ...sound, scheduleRuns, events, followed: events, streamed: events })
}

test('every time with one run, and every run with one event, is fine', () => {
  expect(rulesOf([first, second], [fired(first), fired(second)])).toEqual([])
})

test('a time that came twice is found, unless somebody asked for it', () => {
  const told = [fired(first), fired(second)]
  const again = { ...second, dueMs: first.dueMs }
  expect(rulesOf([first, again], told)).toEqual(['fired twice'])
  expect(rulesOf([first, { ...again, isManual: true }], told)).toEqual([])
})

test('a run without a report, with two, or with nothing but a report is found', () => {
  expect(rulesOf([first], [])).toEqual(['missing event'])
  const twice = [fired(first), { ...fired(first), seq: 2 }]
  expect(rulesOf([first], twice)).toEqual(['missing event'])
  expect(rulesOf([], [fired(first)])).toEqual(['missing event'])
})
