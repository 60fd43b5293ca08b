const encoder = new TextEncoder()
/**
 * Long enough that the number of calls does not matter, short enough to stay in the processor's
 * cache.
 */
const windowLength = 16_384
const shortLength = 64

/** The length of a text in UTF-8. A lone surrogate counts as the U+FFFD that it becomes. */
export function utf8Length(text: string): number {
  if (text.length <= shortLength) return countUnits(text)
  // Three bytes per code unit is the maximum.
  const scratch = new Uint8Array(Math.min(text.length, windowLength) * 3)
  let bytes = 0
  for (let start = 0; start < text.length;) {
    const end = toBoundary(text, Math.min(text.length, start + windowLength))
    bytes += encoder.encodeInto(text.slice(start, end), scratch).written
    start = end
  }
  return bytes
}

/**
 * The longest prefix of a text that takes at most this many bytes inside a JSON string, not
 * counting the quotes.
 */
export function cutJsonText(text: string, maxBytes: number): string {
  let bytes = 0
  let end = 0
  while (end < text.length) {
    const codePoint = text.codePointAt(end) ?? 0
    bytes += jsonBytes(codePoint)
    if (bytes > maxBytes) break
    end += codePoint > 0xffff ? 2 : 1
  }
  return text.slice(0, end)
}

/**
 * How many bytes of the chunk are whole characters: the last one to three bytes may belong to a cut
 * character.
 */
export function wholeCharacters(chunk: Uint8Array): number {
  for (let back = 1; back <= Math.min(3, chunk.length); back += 1) {
    const byte = chunk[chunk.length - back] ?? 0
    if (byte < 0x80) break
    if (byte < 0xc0) continue
    const needed = byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : 2
    // A page smaller than one character must still advance.
    return needed > back && chunk.length > back ? chunk.length - back : chunk.length
  }
  return chunk.length
}

/** Never splits a surrogate pair. */
function toBoundary(text: string, end: number): number {
  const isPair = end < text.length && (text.codePointAt(end - 1) ?? 0) > 0xffff
  return isPair ? end - 1 : end
}

function countUnits(text: string): number {
  let bytes = 0
  for (let index = 0; index < text.length; index++) {
    const codePoint = text.codePointAt(index) ?? 0
    if (codePoint > 0xffff) index++
    bytes += utf8Bytes(codePoint)
  }
  return bytes
}

function utf8Bytes(codePoint: number): number {
  if (codePoint < 0x80) return 1
  if (codePoint < 0x800) return 2
  return codePoint > 0xffff ? 4 : 3
}

function jsonBytes(codePoint: number): number {
  if (codePoint === 0x22 || codePoint === 0x5c) return 2
  if (codePoint >= 0x20)
    return codePoint >= 0xd800 && codePoint <= 0xdfff ? 6 : utf8Bytes(codePoint)
  // \b \t \n \f \r have a short escape, all other control characters the long one.
  return codePoint >= 8 && codePoint <= 13 && codePoint !== 11 ? 2 : 6
}
