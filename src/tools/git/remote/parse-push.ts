export const pushResults = ['created', 'updated', 'up to date'] as const

export type PushOutcome =
  | { result: (typeof pushResults)[number] }
  | { result: 'rejected'; reason: string }

/** Reads `git push --porcelain` for one branch; undefined if it got no answer for it. */
export function parsePush(text: string): PushOutcome | undefined {
  const found = /^([ +\-*!=])\t[^\t]*\t(.*)$/m.exec(text)
  if (found === null) return undefined
  const [, flag, summary = ''] = found
  if (flag === '!')
    return { result: 'rejected', reason: /\(([^()]*)\)$/.exec(summary)?.[1] ?? summary }
  if (flag === '=') return { result: 'up to date' }
  return { result: flag === '*' ? 'created' : 'updated' }
}
