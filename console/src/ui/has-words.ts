/** Whether each word of what was typed stands somewhere in the text. */
export function hasWords(text: string, typed: string): boolean {
  const searched = text.toLowerCase()
  return typed
    .toLowerCase()
    .split(/\s+/)
    .every((word) => searched.includes(word))
}
