import { defineTool, z } from 'toolcrib'
import { pause } from '../lib/pause.ts'
import { countText, segmentText, sentenceLengths, topWords } from '../lib/text-statistics.ts'
import type { SegmentedText, TextCounts } from '../lib/text-statistics.ts'

/** A report that grows while it is read: every yield is the report so far. */
export default defineTool({
  name: 'demo.stream-report',
  title: 'Report on a text',
  description:
    'Write a short Markdown report on a text: counts, most used words, sentence lengths and reading advice. ' +
    'The report arrives section by section. Use it when somebody wants to know how long or how readable a text is; ' +
    'it does not judge what the text says.',
  icon: 'report-analytics',
  effect: 'read',
  timeoutMs: 60_000,
  inputSchema: z.object({
    text: z.string().min(1).max(100_000).describe('The text to report on'),
    title: z.string().max(120).nullable().describe('Heading of the report (Report)'),
    delayMs: z
      .int()
      .min(0)
      .max(5000)
      .nullable()
      .describe('Wait before each section, to watch it stream, in milliseconds (300)'),
  }),
  outputSchema: z.object({
    markdown: z.string(),
    summary: z.object({
      characters: z.int(),
      words: z.int(),
      sentences: z.int(),
      paragraphs: z.int(),
      readingMinutes: z.number(),
    }),
    isComplete: z.boolean().describe('False while further sections are coming'),
  }),
  examples: [
    {
      label: 'Two sentences, at once',
      input: {
        text: 'A tool crib is the room where tools are kept. Every issue is written down.',
        title: 'The crib',
        delayMs: 0,
      },
    },
    {
      label: 'Watch it grow',
      input: {
        text: 'Write a tool once. Call it from anywhere.\n\nEverything that happened is an event.',
        title: null,
        delayMs: 800,
      },
    },
  ],
  sections: [
    { key: 'markdown', label: 'Report', type: 'markdown' },
    { key: 'summary', label: 'Counts', type: 'summary' },
  ],
  view: {
    sections: [
      { path: 'markdown' },
      {
        path: 'summary',
        columns: [{ key: 'readingMinutes', label: 'Reading time', unit: 'minutes' }],
      },
      { path: 'isComplete', hidden: true },
    ],
  },

  async *execute({ text, title, delayMs }, { signal }) {
    const segmented = segmentText(text)
    const summary = countText(segmented)
    let markdown = `# ${title ?? 'Report'}\n`
    for (const [index, write] of chapters.entries()) {
      await pause(delayMs ?? 300, signal)
      markdown += `\n${write(segmented, summary)}\n`
      yield { markdown, summary, isComplete: index === chapters.length - 1 }
    }
  },
})

type Chapter = (text: SegmentedText, counts: TextCounts) => string

const chapters: Chapter[] = [writeOverview, writeWords, writeSentences, writeAdvice]

function writeOverview(_: SegmentedText, counts: TextCounts): string {
  return [
    '## Overview',
    '',
    `${number(counts.words, 'word')} in ${number(counts.sentences, 'sentence')} and ` +
      `${number(counts.paragraphs, 'paragraph')}, ${number(counts.characters, 'character')}. ` +
      `Reading takes ${readingTime(counts.readingMinutes)}.`,
  ].join('\n')
}

function writeWords({ words }: SegmentedText): string {
  const rows = topWords(words, 5).map(({ word, count }) => `| ${word} | ${count} |`)
  if (rows.length === 0) return '## Words\n\nThere are no words in it.'
  return ['## Words', '', '| word | times |', '|---|---|', ...rows].join('\n')
}

function writeSentences(text: SegmentedText): string {
  const { average, short, medium, long, longest } = sentenceLengths(text)
  const lines = [
    '## Sentences',
    '',
    `On average ${number(average, 'word')}: ${short} short (up to 10), ${medium} medium, ${long} long (over 20).`,
  ]
  if (longest.words > 0)
    lines.push(
      '',
      `The longest has ${number(longest.words, 'word')}:`,
      '',
      `> ${cut(longest.text)}`,
    )
  return lines.join('\n')
}

function writeAdvice(text: SegmentedText, counts: TextCounts): string {
  const { average, long } = sentenceLengths(text)
  return `## Advice\n\n${adviceFor(average, counts.sentences === 0 ? 0 : long / counts.sentences)}`
}

function adviceFor(average: number, longShare: number): string {
  if (average === 0) return 'Nothing to advise on.'
  if (average > 20) return 'Split sentences: most readers lose the thread beyond 20 words.'
  if (longShare > 0.25) return 'Mostly fine, but every fourth sentence is long: split those.'
  return 'Easy to read.'
}

function readingTime(minutes: number): string {
  return minutes < 1 ? 'less than a minute' : `about ${number(Math.round(minutes), 'minute')}`
}

function number(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`
}

function cut(text: string): string {
  const characters = [...text]
  return characters.length <= 240 ? text : `${characters.slice(0, 240).join('')}…`
}
