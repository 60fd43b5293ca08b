/** A path as references write it: `steps.find.output.lines[0].text`. */
export function toPath(root: string, keys: readonly (string | number)[]): string {
  return keys.reduce<string>((path, key) => path + toKey(key), root)
}

function toKey(key: string | number): string {
  if (typeof key === 'number') return `[${key}]`
  if (/^[^\s.[\]{}"]+$/u.test(key)) return `.${key}`
  const quoted = JSON.stringify(key).replaceAll(/[{}\p{Cc}]/gu, toEscape)
  return `[${quoted}]`
}

function toEscape(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`
}

/** A text that is to stay as it is, where references are read. */
export function escapeReferences(text: string): string {
  return text.replaceAll(/\\*\{\{/g, (run) => `${'\\'.repeat(2 * (run.length - 2) + 1)}{{`)
}
