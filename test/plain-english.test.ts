import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { areaOf, compareBudgets, countByArea, findHabits, habits } from './setup/plain-english.ts'
import type { Counts } from './setup/plain-english.ts'
import { readText, readTexts } from './setup/written-texts.ts'

/**
 * How often each area may still use the habits. The goal is zero everywhere: lower a number when you
 * have put sentences right, never raise one. `PLAIN_ENGLISH=src/core npm test --
 * test/plain-english.test.ts` prints the counts of today and every finding below that folder.
 */
const budgets: Record<string, Counts> = {
  'console/screens': { texts: 8, comments: 15, titles: 1 },
  docs: { texts: 11, comments: 0, titles: 0 },
  'docs/decisions': { texts: 10, comments: 0, titles: 0 },
  'docs/guide': { texts: 38, comments: 0, titles: 0 },
}

const texts = readTexts(fileURLToPath(new URL('..', import.meta.url)))
const findings = findHabits(texts)
const lines = findings.map((one) => ({
  key: `${areaOf(one.file)} ${one.kind}`,
  line: `${one.file}:${one.line} [${one.habit}] ${one.sentence}`,
}))

test('no area writes more translated English than its budget', () => {
  const counts = countByArea(findings)
  const { over, under } = compareBudgets(counts, budgets)
  const wanted = process.env['PLAIN_ENGLISH']
  if (wanted !== undefined) {
    console.table(counts)
    console.info(lines.flatMap(({ line }) => (line.startsWith(wanted) ? [line] : [])).join('\n'))
  }
  if (under.length > 0) console.info(`These budgets can be lowered: ${under.join(', ')}`)
  const found = lines.filter(({ key }) => over.includes(key)).map(({ line }) => line)
  const advice = habits.map(({ name, instead }) => `${name}: ${instead}`).join('\n')
  expect(over, `${found.join('\n')}\n\n${advice}`).toEqual([])
})

test('texts, comments and test titles of every area are read', () => {
  const counted = (kind: string) => texts.filter((text) => text.kind === kind).length
  expect(counted('texts')).toBeGreaterThan(3000)
  expect(counted('comments')).toBeGreaterThan(5000)
  expect(counted('titles')).toBeGreaterThan(1500)
  const areas = new Set(texts.map(({ file }) => areaOf(file)))
  expect([...areas]).toEqual(
    expect.arrayContaining(['src/core', 'src/app', 'console', 'console/screens', 'docs/guide']),
  )
})

test.each([
  ['free relative', 'What it bounded is no longer bounded'],
  ['free relative', 'Who may not call tools by their role is sent to sign in'],
  ['free relative', 'Tickets are sealed for whoever holds the key'],
  ['free relative', 'The tool was deleted; what is queued stays'],
  ['is no X', 'What answered with 502 is no crib'],
  ['is no X', 'Flags can not be added to an input that is no object.'],
  ['is no X', 'An answer that is none'],
  ['speech', 'A warning told of it in the log'],
  ['speech', 'Say no to a call that waits'],
  ['speech', 'A yes looks at everything again first'],
  ['movement', 'Calls go on while the key is rotated'],
  ['movement', 'The server is started anew after that'],
  ['movement', 'The record of its call is gone'],
  ['movement', 'Say what is missing and the way out'],
  ['movement', 'Secrets stand in it by name'],
  ['private term', 'Grants of a skill are taken away by it'],
  ['private term', 'So many workers are listened to at once'],
])('the habit "%s" is seen in "%s"', (habit, sentence) => {
  expect(habitsIn(sentence)).toContain(habit)
})

test.each([
  'What do you want to delete?',
  'What you enter here is not saved until you press Save',
  'There is no tool with this name, and there would be no way to add one',
  'The limit is no longer applied, and a larger one is no better',
  'The id stands for the call; understand it as a handle',
  'Members cannot sign in while the tenant is suspended',
  'The color tells the two series apart',
])('plain English passes: "%s"', (sentence) => {
  expect(habitsIn(sentence)).toEqual([])
})

test('a finding is placed wherever it is written: string, template, markup, comment, title, page', () => {
  const code = [
    '// The server is started',
    '// anew after that.',
    "export const message = 'This file is no zip archive'",
    'export const other = (name: string) => `${name} is no key of a secret`',
    'export const part = <p>Calls go on <b>now</b> while it is rotated</p>',
  ].join('\n')
  const page =
    '# What is kept\n\n```\nthis text is no prose at all\n```\n\n- This text is no zip file'
  const titles = "test('a call that is no call', () => {})"
  const found = [
    ...readText('console/src/a.tsx', code),
    ...readText('docs/a.md', page),
    ...readText('src/core/a.test.ts', titles),
  ]
  expect(findHabits(found).map(({ file, line, kind }) => `${file}:${line} ${kind}`)).toEqual([
    'console/src/a.tsx:1 comments',
    'console/src/a.tsx:3 texts',
    'console/src/a.tsx:4 texts',
    'console/src/a.tsx:5 texts',
    'docs/a.md:7 texts',
    'src/core/a.test.ts:1 titles',
  ])
})

test('a count above its budget fails, unless its tree has as many fewer elsewhere', () => {
  const one = { texts: 1, comments: 0, titles: 0 }
  const none = { texts: 0, comments: 0, titles: 0 }
  expect(compareBudgets({ 'src/core': one }, {}).over).toEqual(['src/core texts'])
  const moved = compareBudgets({ 'src/features': one }, { 'src/core': one, 'src/features': none })
  expect(moved).toEqual({ over: [], under: ['src/core texts'] })
  const other = compareBudgets({ 'src/core': one }, { 'docs/guide': one })
  expect(other.over).toEqual(['src/core texts'])
})

function habitsIn(sentence: string): string[] {
  const text = { kind: 'texts' as const, file: 'src/core/a.ts', line: 1, text: sentence }
  return findHabits([text]).map(({ habit }) => habit)
}
