import { round, sum } from './rounding.ts'

/** Words a minute an adult reads silently, for texts without much to look up. */
const wordsPerMinute = 238

export interface TextCounts {
  characters: number
  words: number
  sentences: number
  paragraphs: number
  readingMinutes: number
}

/** A text cut into what people call words and sentences, in any script. */
export interface SegmentedText {
  text: string
  words: string[]
  sentences: { text: string; words: number }[]
}

export function segmentText(text: string): SegmentedText {
  // A fixed locale, so that a text gives the same figures on every machine; it knows other scripts too.
  const bySentence = new Intl.Segmenter('en', { granularity: 'sentence' })
  const byWord = new Intl.Segmenter('en', { granularity: 'word' })
  const sentences = [...bySentence.segment(text)]
    .map(({ segment }) => ({
      text: segment.trim().replaceAll(/\s+/g, ' '),
      words: wordsOf(segment, byWord),
    }))
    .filter(({ words }) => words.length > 0)
  return {
    text,
    words: sentences.flatMap(({ words }) => words),
    sentences: sentences.map((sentence) => ({ text: sentence.text, words: sentence.words.length })),
  }
}

export function countText({ text, words, sentences }: SegmentedText): TextCounts {
  return {
    // Code points, so that an emoji or a rare character counts once.
    characters: [...text].length,
    words: words.length,
    sentences: sentences.length,
    paragraphs: text.split(/\n\s*\n/).filter((paragraph) => paragraph.trim() !== '').length,
    readingMinutes: round(words.length / wordsPerMinute, 1),
  }
}

/**
 * The most used words, most first, equal ones by first use. Short words (the, and, of) say nothing
 * about a text, so words under four letters count only where there are no others.
 */
export function topWords(
  words: readonly string[],
  limit: number,
): { word: string; count: number }[] {
  const long = words.filter((word) => [...word].length >= 4)
  const counts = new Map<string, number>()
  for (const word of long.length > 0 ? long : words) counts.set(word, (counts.get(word) ?? 0) + 1)
  return [...counts]
    .map(([word, count]) => ({ word, count }))
    .toSorted((a, b) => b.count - a.count)
    .slice(0, limit)
}

/** How long the sentences are, and the longest of them. */
export function sentenceLengths({ sentences }: SegmentedText) {
  const lengths = sentences.map(({ words }) => words)
  const longest = sentences.reduce((top, next) => (next.words > top.words ? next : top), {
    text: '',
    words: 0,
  })
  return {
    average: lengths.length === 0 ? 0 : round(sum(lengths) / lengths.length, 1),
    short: lengths.filter((length) => length <= 10).length,
    medium: lengths.filter((length) => length > 10 && length <= 20).length,
    long: lengths.filter((length) => length > 20).length,
    longest,
  }
}

function wordsOf(text: string, byWord: Intl.Segmenter): string[] {
  return [...byWord.segment(text)]
    .filter(({ isWordLike }) => isWordLike)
    .map(({ segment }) => segment.toLowerCase())
}
