import fc from 'fast-check'
import { expect, test } from 'vitest'
import { countText, segmentText, sentenceLengths, topWords } from './text-statistics.ts'

test('words, sentences and paragraphs are counted as people count them', () => {
  const text = 'One two three. Four five!\n\n  \n\nSix — 👩‍🔧 seven.\n'
  expect(countText(segmentText(text))).toEqual({
    characters: [...text].length,
    words: 7,
    sentences: 3,
    paragraphs: 2,
    readingMinutes: 0,
  })
})

test('a text without a single word has none', () => {
  const segmented = segmentText(' … !!! \n')
  expect(countText(segmented)).toMatchObject({ words: 0, sentences: 0, paragraphs: 1 })
  expect(topWords(segmented.words, 5)).toEqual([])
  expect(sentenceLengths(segmented)).toEqual({
    average: 0,
    short: 0,
    medium: 0,
    long: 0,
    longest: { text: '', words: 0 },
  })
})

test('most used words come first, short ones only where there are no others', () => {
  expect(topWords(['the', 'tool', 'crib', 'the', 'tool', 'the'], 2)).toEqual([
    { word: 'tool', count: 2 },
    { word: 'crib', count: 1 },
  ])
  expect(topWords(['to', 'be', 'or', 'to'], 1)).toEqual([{ word: 'to', count: 2 }])
})

test('scripts without spaces have words too', () => {
  expect(segmentText('我喜欢工具。').words.length).toBeGreaterThan(1)
})

test('reading time follows the number of words', () => {
  expect(countText(segmentText('word '.repeat(2380))).readingMinutes).toBe(10)
})

test('every word belongs to exactly one sentence', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme', maxLength: 200 }), (text) => {
      const segmented = segmentText(text)
      const { short, medium, long } = sentenceLengths(segmented)
      expect(short + medium + long).toBe(segmented.sentences.length)
      const inSentences = segmented.sentences.reduce((total, { words }) => total + words, 0)
      expect(inSentences).toBe(segmented.words.length)
    }),
  )
})
