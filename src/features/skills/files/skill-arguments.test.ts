import { expect, test } from 'vitest'
import { fillSkill, skillArguments, toPromptArguments } from './skill-arguments.ts'

test.each([
  ['issue branch', [{ name: 'issue' }, { name: 'branch' }]],
  [['issue'], [{ name: 'issue' }]],
  [
    [{ name: 'issue', description: 'Its number', required: true }, 'branch'],
    [{ name: 'issue', description: 'Its number', required: true }, { name: 'branch' }],
  ],
])('%j is how arguments are written', (written, read) => {
  expect(skillArguments.parse(written)).toEqual(read)
})

test.each([
  [5],
  [['a b']],
  [['1st']],
  [['ARGUMENTS']],
  [['a', 'a']],
  [[{ name: 'a', type: 'string' }]],
  [[{ name: 'a', required: 'yes' }]],
  [Array.from({ length: 51 }, (_, at) => `a${at}`)],
])('%j is refused', (written) => {
  expect(skillArguments.safeParse(written).success).toBe(false)
})

const own = [{ name: 'issue', required: true }, { name: 'issue-title' }, { name: 'branch' }]

test('a value replaces its placeholder in the text, and is not expanded again', () => {
  const text = 'Fix $issue ($issue-title) on $branch. It costs $5, $other, $issues.'
  const given = { issue: '$branch', 'issue-title': 'It $ARGUMENTS', branch: 'main' }
  expect(fillSkill(text, own, given)).toEqual([
    'Fix $branch (It $ARGUMENTS) on main. It costs $5, $other, $issues.',
  ])
})

test('a missing value leaves its place empty, and a value without a placeholder follows the text', () => {
  expect(fillSkill('Fix $issue.', own, {})).toEqual(['Fix .'])
  expect(fillSkill('Fix it.', own, { issue: '7', branch: 'main', other: 'x' })).toEqual([
    'Fix it.',
    'issue: 7\nbranch: main',
  ])
})

test('the task replaces $ARGUMENTS, or follows the text without it', () => {
  expect(fillSkill('Do $ARGUMENTS now.', [], { task: 'this' })).toEqual(['Do this now.'])
  expect(fillSkill('Do it.', undefined, { task: 'this' })).toEqual(['Do it.', 'this'])
  expect(fillSkill('Do it.', [], {})).toEqual(['Do it.'])
})

test('a skill may declare its own task argument', () => {
  const task = { name: 'task', required: true }
  expect(toPromptArguments([task])).toEqual([task])
  expect(fillSkill('Do $task.', [task], { task: 'this' })).toEqual(['Do this.'])
  expect(toPromptArguments().map(({ name }) => name)).toEqual(['task'])
})
