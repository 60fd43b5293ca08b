import { expect, test } from 'vitest'
import { createEndedProcesses } from './ended-processes.ts'

test('the oldest processes are forgotten when all together take too much memory', () => {
  const kept = createEndedProcesses(100_000)
  const forgotten: string[] = []
  const add = (name: string, bytes: number) => {
    const process = { name }
    kept.add(process, { bytes, forget: () => void forgotten.push(name) })
    return process
  }
  add('a', 40_000)
  const b = add('b', 30_000)
  expect(forgotten).toEqual([])
  add('c', 30_000)
  expect(forgotten).toEqual(['a'])
  kept.remove(b)
  kept.remove(b)
  add('d', 30_000)
  expect(forgotten).toEqual(['a'])
  add('huge', 200_000)
  expect(forgotten).toEqual(['a', 'c', 'd', 'huge'])
})

test('a process without output takes some memory, too', () => {
  const kept = createEndedProcesses(100_000)
  let count = 0
  for (let at = 0; at < 100; at += 1) kept.add({}, { bytes: 0, forget: () => void (count += 1) })
  expect(count).toBeGreaterThan(80)
})
