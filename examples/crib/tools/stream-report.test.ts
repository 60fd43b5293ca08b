import { expect, test } from 'vitest'
import { runTool } from 'toolcrib/testing'
import streamReport from './stream-report.tool.ts'

interface Report {
  markdown: string
  isComplete: boolean
}

const text = 'A tool crib is the room where tools are kept. Every issue is written down.'

test('the report grows section by section, and the last one is the result', async () => {
  const { output, partials } = await runTool(streamReport, { text, title: 'The crib', delayMs: 0 })
  const reports = partials as Report[]
  expect(
    reports.map(({ markdown }) => [...markdown.matchAll(/^## (.*)$/gm)].map(([, name]) => name)),
  ).toEqual([
    ['Overview'],
    ['Overview', 'Words'],
    ['Overview', 'Words', 'Sentences'],
    ['Overview', 'Words', 'Sentences', 'Advice'],
  ])
  expect(reports.map(({ isComplete }) => isComplete)).toEqual([false, false, false, true])
  for (const [index, report] of reports.slice(1).entries()) {
    expect(report.markdown.startsWith(reports[index]?.markdown ?? '')).toBe(true)
  }
  expect(output).toEqual(reports.at(-1))
})

test('the figures are those of the text', async () => {
  const { output } = await runTool(streamReport, { text, title: 'The crib', delayMs: 0 })
  expect(output).toEqual({
    summary: { characters: 74, words: 15, sentences: 2, paragraphs: 1, readingMinutes: 0.1 },
    markdown: [
      '# The crib',
      '',
      '## Overview',
      '',
      '15 words in 2 sentences and 1 paragraph, 74 characters. Reading takes less than a minute.',
      '',
      '## Words',
      '',
      '| word | times |',
      '|---|---|',
      '| tool | 1 |',
      '| crib | 1 |',
      '| room | 1 |',
      '| where | 1 |',
      '| tools | 1 |',
      '',
      '## Sentences',
      '',
      'On average 7.5 words: 2 short (up to 10), 0 medium, 0 long (over 20).',
      '',
      'The longest has 10 words:',
      '',
      '> A tool crib is the room where tools are kept.',
      '',
      '## Advice',
      '',
      'Easy to read.',
      '',
    ].join('\n'),
    isComplete: true,
  })
})

test('a text without words has a report too', async () => {
  const { output } = await runTool(streamReport, { text: ' … ', delayMs: 0 })
  const { markdown } = output as Report
  expect(markdown).toContain('There are no words in it.')
  expect(markdown).toContain('Nothing to advise on.')
})

test('the largest text is reported on within a second or two', async () => {
  const startedAt = performance.now()
  await runTool(streamReport, { text: 'Word after word. '.repeat(5882), delayMs: 0 })
  expect(performance.now() - startedAt).toBeLessThan(5000)
})

test('an abort stops it between two sections', async () => {
  const controller = new AbortController()
  const running = runTool(streamReport, { text, delayMs: 5000 }, { signal: controller.signal })
  controller.abort(new Error('enough'))
  await expect(running).rejects.toThrow('enough')
})
