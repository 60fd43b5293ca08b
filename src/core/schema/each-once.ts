import type { z } from 'zod'

/** Refuses duplicates, because the last one would silently win. */
export function eachOnce<T>(what: string, key: keyof T & string) {
  return (items: readonly T[], context: z.RefinementCtx<readonly T[]>) => {
    const first = new Map<unknown, number>()
    for (const [index, item] of items.entries()) {
      const known = first.get(item[key])
      if (known === undefined) first.set(item[key], index)
      else {
        const message = `${JSON.stringify(item[key])} is the ${key} of two ${what}: entry ${known} (counting from 0) has it too. Rename or remove one`
        context.addIssue({ code: 'custom', path: [index, key], message, input: item[key] })
      }
    }
  }
}
