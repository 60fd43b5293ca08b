/** Words that occur in every description and distinguish nothing. */
const emptyWords = new Set(
  'a an and are as at be by can do does for from has have how i if in into is it its me my of on one or please that the their them then there this to use used uses using want what when which will with you your'.split(
    ' ',
  ),
)

const plainText = /^[\x20-\x7e\s]*$/

/**
 * The words of a text in normalised form: lower case, without accents, `camelCase` and `snake_case`
 * split; for scripts without spaces, every pair of adjacent letters.
 */
export function toTerms(text: string): string[] {
  const apart = text.replaceAll(/([a-z0-9])([A-Z])/g, '$1 $2')
  const words = plainText.test(apart)
    ? apart.toLowerCase().split(/[^a-z0-9]+/)
    : withoutAccents(apart)
        .split(/[^\p{L}\p{N}]+/u)
        .flatMap(toWords)
  const terms: string[] = []
  for (const word of words) {
    if (word !== '' && !emptyWords.has(word)) terms.push(toStem(word))
  }
  return terms
}

/** Chinese, Japanese, Thai, Lao, Khmer, Burmese. */
const unspaced = ['Hani', 'Hira', 'Kana', 'Thai', 'Laoo', 'Khmr', 'Mymr']
  .map((script) => `\\p{scx=${script}}`)
  .join('')
const pieces = new RegExp(`[${unspaced}]+|[^${unspaced}]+`, 'gu')
const isUnspaced = new RegExp(`^[${unspaced}]`, 'u')

function toWords(run: string): string[] {
  return (run.match(pieces) ?? []).flatMap((piece) =>
    isUnspaced.test(piece) ? toPairs(piece) : piece,
  )
}

function toPairs(piece: string): string[] {
  const letters = [...piece]
  if (letters.length === 1) return letters
  return letters.slice(1).map((letter, index) => `${letters[index] ?? ''}${letter}`)
}

function withoutAccents(text: string): string {
  return text.normalize('NFKD').replaceAll(/\p{M}/gu, '').toLowerCase()
}

/** Removes English endings if a word remains. Light on purpose: names are not prose. */
function toStem(word: string): string {
  const plain = withoutForm(withoutPlural(word))
  return plain.length > 4 && plain.endsWith('e') ? plain.slice(0, -1) : plain
}

function withoutPlural(word: string): string {
  if (word.length > 4 && word.endsWith('ies')) return `${word.slice(0, -3)}y`
  if (word.length > 4 && /(?:s|x|z|ch|sh)es$/.test(word)) return word.slice(0, -2)
  if (word.length > 3 && word.endsWith('s') && !/(?:ss|us|is)$/.test(word)) return word.slice(0, -1)
  return word
}

function withoutForm(word: string): string {
  if (word.length > 5 && word.endsWith('ing')) return withoutDouble(word.slice(0, -3))
  if (word.length > 4 && word.endsWith('ed')) return withoutDouble(word.slice(0, -2))
  return word
}

/** `running` becomes `run`; `calling` keeps both of its own. */
function withoutDouble(stem: string): string {
  const isDouble = stem.at(-1) === stem.at(-2) && !/[lsz]$/.test(stem)
  return isDouble ? stem.slice(0, -1) : stem
}
