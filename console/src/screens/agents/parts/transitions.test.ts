import { expect, test } from 'vitest'
import { toTransitions } from './transitions.ts'

test('every tool that changes is listed once, with its access before and after', () => {
  const change = {
    agent: 'ada',
    gains: ['a.new', 'b.asked'],
    loses: ['c.gone', 'f.asked'],
    asked: ['f.asked'],
    asks: ['b.asked', 'd.now'],
    allows: ['e.free'],
  }
  expect(toTransitions(change)).toEqual([
    { tool: 'c.gone', from: 'allow', to: 'hidden' },
    { tool: 'f.asked', from: 'ask', to: 'hidden' },
    { tool: 'd.now', from: 'allow', to: 'ask' },
    { tool: 'e.free', from: 'ask', to: 'allow' },
    { tool: 'a.new', from: 'hidden', to: 'allow' },
    { tool: 'b.asked', from: 'hidden', to: 'ask' },
  ])
})
