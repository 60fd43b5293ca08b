import { expect, test } from 'vitest'
import { toStarters } from './starters.ts'

const tool = (name: string, more: object = {}) => ({
  name,
  title: name.toUpperCase(),
  effect: 'read' as const,
  examples: [{ label: 'Try it', input: { a: 1 } }],
  asks: false,
  mayAsk: false,
  ...more,
})

test('two that read and one that needs approval, as commands for the demo model', () => {
  const tools = [tool('w', { effect: 'write' }), tool('a'), tool('b'), tool('d', { asks: true })]
  expect(toStarters(tools, 'demo')).toEqual([
    { title: 'A', label: 'Try it', prompt: 'run a with {"a":1}' },
    { title: 'B', label: 'Try it', prompt: 'run b with {"a":1}' },
    { title: 'D', label: 'Try it', prompt: 'run d with {"a":1}' },
  ])
})

test('real models get a request in words, and an agent without tools is asked what it can do', () => {
  expect(toStarters([tool('a')], 'openai/x')[0]?.prompt).toBe(
    'A: Try it. Use these values: {"a":1}',
  )
  expect(toStarters([tool('a', { examples: [] })], 'demo')).toHaveLength(1)
  expect(toStarters([], 'demo')[0]?.title).toBe('What can you do?')
})
