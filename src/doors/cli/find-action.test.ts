import { expect, test } from 'vitest'
import type { CommandContext } from './command.ts'
import { findAction } from './find-action.ts'

const said: (readonly string[])[] = []
const note = ({ words }: CommandContext) => {
  said.push(words)
  return Promise.resolve(0)
}
const run = (words: readonly string[], actions = { list: note, show: note }) =>
  findAction('calls', actions, { words } as CommandContext)

test('an id alone is shown, and anything else is not', async () => {
  said.length = 0
  await run(['call_01a1f64e975a'])
  await run([])
  expect(said).toEqual([['show', 'call_01a1f64e975a'], []])
  expect(() => run(['shw'])).toThrow('has no action shw')
  expect(() => run(['Call_01a1f64e975a'])).toThrow('has no action')
})
