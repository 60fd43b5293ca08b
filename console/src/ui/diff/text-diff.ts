/** A piece of text: in both versions, only before, or only after. */
export interface DiffPart {
  kind: 'same' | 'gone' | 'came'
  text: string
}

/** With more words than this on a side the table would be too large; everything is then shown as changed. */
const mostWords = 1500

/** The difference between two texts, word by word (longest common subsequence). */
export function diffWords(before: string, after: string): DiffPart[] {
  const [one, other] = [toWords(before), toWords(after)]
  const start = commonStart(one, other)
  const end = commonEnd(one.slice(start), other.slice(start))
  const middle = diffMiddle(
    one.slice(start, one.length - end),
    other.slice(start, other.length - end),
  )
  const tail = one.slice(one.length - end)
  const all: DiffPart[] = [
    ...one.slice(0, start).map((text) => ({ kind: 'same' as const, text })),
    ...middle,
    ...tail.map((text) => ({ kind: 'same' as const, text })),
  ]
  return merge(all)
}

/** Words, whitespace and single symbols; joined, they are the text again. */
function toWords(text: string): string[] {
  return text.match(/\s+|[\p{L}\p{N}_]+|[^\s\p{L}\p{N}_]/gu) ?? []
}

function commonStart(one: readonly string[], other: readonly string[]): number {
  let count = 0
  while (count < one.length && count < other.length && one[count] === other[count]) count += 1
  return count
}

function commonEnd(one: readonly string[], other: readonly string[]): number {
  return commonStart(one.toReversed(), other.toReversed())
}

function diffMiddle(one: readonly string[], other: readonly string[]): DiffPart[] {
  if (one.length > mostWords || other.length > mostWords) {
    return [
      { kind: 'gone', text: one.join('') },
      { kind: 'came', text: other.join('') },
    ]
  }
  const lengths = toLengths(one, other)
  const width = other.length + 1
  const parts: DiffPart[] = []
  let [i, j] = [0, 0]
  while (i < one.length || j < other.length) {
    const [gone, came] = [one[i], other[j]]
    if (gone !== undefined && gone === came) {
      parts.push({ kind: 'same', text: gone })
      i += 1
      j += 1
    } else if (gone !== undefined && isBetter(lengths, i * width + j, width)) {
      parts.push({ kind: 'gone', text: gone })
      i += 1
    } else {
      parts.push({ kind: 'came', text: came ?? '' })
      j += 1
    }
  }
  return parts
}

/** Whether skipping the word before keeps at least as much in common as skipping the one after. */
function isBetter(lengths: Uint16Array, at: number, width: number): boolean {
  const isLast = (at + 1) % width === 0
  return isLast || (lengths[at + width] ?? 0) >= (lengths[at + 1] ?? 0)
}

/** At [i, j]: how many words the remainders from there have in common. */
function toLengths(one: readonly string[], other: readonly string[]): Uint16Array {
  const width = other.length + 1
  const lengths = new Uint16Array((one.length + 1) * width)
  for (let i = one.length - 1; i >= 0; i -= 1) {
    for (let j = other.length - 1; j >= 0; j -= 1) {
      lengths[i * width + j] =
        one[i] === other[j]
          ? (lengths[(i + 1) * width + j + 1] ?? 0) + 1
          : Math.max(lengths[(i + 1) * width + j] ?? 0, lengths[i * width + j + 1] ?? 0)
    }
  }
  return lengths
}

function merge(parts: readonly DiffPart[]): DiffPart[] {
  const merged: DiffPart[] = []
  for (const part of parts) {
    const last = merged.at(-1)
    if (last?.kind === part.kind) last.text += part.text
    else if (part.text !== '') merged.push({ ...part })
  }
  return merged
}
