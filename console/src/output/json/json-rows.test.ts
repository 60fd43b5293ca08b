import { expect, test } from 'vitest'
import type { JsonValue } from '../../api/json.ts'
import { openedLevels, toRows } from './json-rows.ts'
import { toJsonText } from './json-text.ts'
import { prettyPart, prettyStart } from '../artifact/pretty-part.ts'

const closed = { toggled: new Map<string, boolean>(), limits: new Map<string, number>() }

test('the lines of what is open, by pointer', () => {
  const value = { 'a/b': [1, { c: null }], __proto__x: 'x' }
  expect(toRows(value, closed, 2).map(({ id, level }) => [id, level])).toEqual([
    ['', 0],
    ['/a~1b', 1],
    ['/a~1b/0', 2],
    ['/a~1b/1', 2],
    ['/__proto__x', 1],
  ])
})

test('a key named __proto__ is shown with its value', () => {
  const value = JSON.parse('{"__proto__": {"admin": true}, "a": 1}') as JsonValue
  const rows = toRows(value, closed, 2)
  expect(rows.map(({ name, value: inner }) => [name, inner])).toEqual([
    [undefined, value],
    ['__proto__', { admin: true }],
    ['admin', true],
    ['a', 1],
  ])
})

test('a list of a hundred thousand shows five hundred lines, and counts the rest', () => {
  const rows = toRows(
    Array.from({ length: 100_000 }, (_, index) => index),
    closed,
    1,
  )
  expect([rows.length, rows.at(-1)?.kind, rows.at(-1)?.value]).toEqual([502, 'more', 99_500])
})

test('ten thousand levels are opened and written without a stack', () => {
  let deep: JsonValue = []
  for (let level = 0; level < 10_000; level += 1) deep = [deep]
  expect(toRows(deep, closed, 500)).toHaveLength(501)
  expect(openedLevels(deep)).toBe(6)
  const text = toJsonText(deep, 0)
  expect([text.length, text.slice(0, 3)]).toEqual([20_002, '[[['])
})

test('text of any depth is the same as the browser writes it', () => {
  const value = { a: [1, 'x"y', { b: null }], c: {}, d: [] }
  expect(toJsonText(value, 0)).toBe(JSON.stringify(value))
})

test('a small value is open as far as it fits, a large one at its top', () => {
  expect(openedLevels({ a: { b: { c: 1 } } })).toBe(3)
  expect(openedLevels(Array.from({ length: 200 }, () => ({ a: 1 })))).toBe(1)
})

test('a piece of JSON text continues where the last one ended, also within a string', () => {
  const text = JSON.stringify({ a: [1, 'x, {y}', { b: 'q"' }] })
  const whole = prettyPart(text, prettyStart).pretty
  for (let at = 1; at < text.length; at += 1) {
    const first = prettyPart(text.slice(0, at), prettyStart)
    const second = prettyPart(text.slice(at), first.state)
    expect(first.pretty + second.pretty).toBe(whole)
  }
})
