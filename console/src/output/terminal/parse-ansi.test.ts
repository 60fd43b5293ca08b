import { expect, test } from 'vitest'
import { parseAnsi } from './parse-ansi.ts'

const esc = '\u001B'
const plain = (text: string) => parseAnsi(text).map((line) => line.map(({ text }) => text).join(''))

test('styles are kept until they are reset', () => {
  expect(parseAnsi(`a${esc}[1;31mb${esc}[22mc${esc}[0md\n${esc}[42me`)).toEqual([
    [
      { text: 'a' },
      { text: 'b', isBold: true, color: 'red' },
      { text: 'c', color: 'red' },
      { text: 'd' },
    ],
    [{ text: 'e', back: 'green' }],
  ])
})

test.each([
  ['38;5;9', 'red'],
  ['38;5;21', 'blue'],
  ['38;5;250', undefined],
  ['38;2;255;160;0', 'yellow'],
  ['38;2;17;17;17', undefined],
  ['38:2:0:200:0', 'green'],
  ['94', 'blue'],
])('%s becomes a colour of the theme: %s', (code, color) => {
  expect(parseAnsi(`${esc}[${code}mx`)[0]?.[0]?.color).toBe(color)
})

test.each([
  ['clearing the screen', `kept${esc}[2J${esc}[H shown`, ['kept shown']],
  ['moving the cursor', `one\ntwo${esc}[1A${esc}[3D${esc}[K!`, ['one', 'two!']],
  ['a title', `${esc}]0;rm -rf\u0007text`, ['text']],
  ['a link', `${esc}]8;;https://evil.example${esc}\\text${esc}]8;;${esc}\\`, ['text']],
  ['a device string', `${esc}Pq#0${esc}\\text`, ['text']],
  ['hidden text', `${esc}[8mhidden${esc}[28m`, ['hidden']],
  ['a bell', 'ding\u0007', ['ding']],
])('%s is left out and the text stays', (_, text, lines) => {
  expect(plain(text)).toEqual(lines)
})

test('a string without an end swallows nothing', () => {
  expect(plain(`${esc}]0;title\nnext`)).toEqual(['⟨U+001B⟩]0;title', 'next'])
  expect(plain(`a${esc}`)).toEqual(['a⟨U+001B⟩'])
  expect(plain(`a${esc}[31`)).toEqual(['a⟨U+001B⟩[31'])
})

test('hidden characters are shown by their code points', () => {
  expect(plain('pay\u200Bpal\u202Egpj.exe\u0000\u009B31m')).toEqual([
    'pay⟨U+200B⟩pal⟨U+202E⟩gpj.exe⟨U+0000⟩⟨U+009B⟩31m',
  ])
})

test('a carriage return starts the line again, and a backspace takes one character back', () => {
  expect(plain('10 %\r50 %\r100 %\r\ndone\r\n')).toEqual(['100 %', 'done'])
  expect(plain('ab\bc😀\b!')).toEqual(['ac!'])
})

test('a megabyte of broken sequences is read in linear time', () => {
  const timeOf = (share: number) => {
    const began = performance.now()
    parseAnsi(`${esc}]`.repeat(300_000 * share))
    parseAnsi(`${esc}[${'1;'.repeat(200_000 * share)}`.repeat(2))
    parseAnsi(`${esc}[38;2;`.repeat(100_000 * share))
    return performance.now() - began
  }
  // Eight times the text; quadratic time would take sixty-four times as long. On a busy machine one
  // try in several is undisturbed.
  const isLinear = () => timeOf(1) < 30 * timeOf(1 / 8) + 50
  expect([1, 2, 3, 4, 5, 6].some(isLinear)).toBe(true)
})
