import { expect, test } from 'vitest'
import type { Json, ParameterWriting } from '../model.ts'
import { writePairs, writeSimple } from './write-value.ts'

const list = ['blue', 'black', 'brown']
const color = { R: 100, G: 200, B: 150 }

// The table of the OpenAPI specification, "Style Examples".
test.each<[ParameterWriting['style'], boolean, Json, string]>([
  ['matrix', false, '', ';color='],
  ['matrix', false, 'blue', ';color=blue'],
  ['matrix', false, list, ';color=blue,black,brown'],
  ['matrix', false, color, ';color=R,100,G,200,B,150'],
  ['matrix', true, list, ';color=blue;color=black;color=brown'],
  ['matrix', true, color, ';R=100;G=200;B=150'],
  ['label', false, 'blue', '.blue'],
  ['label', true, list, '.blue.black.brown'],
  ['label', true, color, '.R=100.G=200.B=150'],
  ['simple', false, list, 'blue,black,brown'],
  ['simple', false, color, 'R,100,G,200,B,150'],
  ['simple', true, color, 'R=100,G=200,B=150'],
  ['simple', false, 'a/b c?', 'a%2Fb%20c%3F'],
])('%s in a path, explode %s: %j', (...[style, explode, value, expected]) => {
  expect(writeSimple('color', value, { style, explode })).toBe(expected)
})

test.each<[ParameterWriting['style'], boolean, Json, string]>([
  ['form', false, '', 'color='],
  ['form', false, list, 'color=blue,black,brown'],
  ['form', true, list, 'color=blue&color=black&color=brown'],
  ['form', false, color, 'color=R,100,G,200,B,150'],
  ['form', true, color, 'R=100&G=200&B=150'],
  ['spaceDelimited', false, list, 'color=blue%20black%20brown'],
  ['pipeDelimited', false, list, 'color=blue|black|brown'],
  ['pipeDelimited', false, color, 'color=R|100|G|200|B|150'],
  ['deepObject', true, color, 'color[R]=100&color[G]=200&color[B]=150'],
  ['deepObject', true, { a: { b: [1, { c: 2 }] } }, 'color[a][b][]=1&color[a][b][1][c]=2'],
  ['json', false, color, 'color=%7B%22R%22%3A100%2C%22G%22%3A200%2C%22B%22%3A150%7D'],
  ['form', true, 'a&b=c#d', 'color=a%26b%3Dc%23d'],
  ['form', true, [], ''],
])('%s in a query, explode %s: %j', (...[style, explode, value, expected]) => {
  const pairs = writePairs('color', value, { style, explode })
  expect(pairs.map(([name, text]) => `${name}=${text}`).join('&')).toBe(expected)
})

test('reserved characters stay where a document allows them, but never end the value', () => {
  const writing = { style: 'form', explode: true, allowReserved: true } as const
  expect(writePairs('q', 'a/b:c?d&e=f#g+h', writing)).toEqual([['q', 'a/b:c?d%26e%3Df%23g%2Bh']])
})
