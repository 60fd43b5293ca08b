const longest = 240

/** The first sentence of a description, or as many whole words as fit. */
export function toBeginning(text: string): string {
  const [sentence = text] = text.split(/(?<=[.!?。])\s+/u, 1)
  if (sentence.length <= longest) return sentence
  const cut = sentence.slice(0, longest)
  return `${cut.slice(0, cut.lastIndexOf(' ') > longest / 2 ? cut.lastIndexOf(' ') : longest)}…`
}
