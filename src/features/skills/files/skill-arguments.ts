import { z } from 'zod'
import type { PromptArgument } from '../../../core/kernel/context/prompt-argument.ts'

const freeText = 'ARGUMENTS'

const name = z
  .string()
  .regex(/^[A-Za-z][A-Za-z0-9_-]{0,63}$/, {
    error: 'must be letters, digits, _ and -, 64 at most, beginning with a letter',
  })
  .refine((given) => given !== freeText, { error: 'is taken: it stands for the task' })

const argument = z.strictObject({
  name,
  description: z.string().trim().min(1).max(1024).optional(),
  required: z.boolean().optional(),
})

/** As others write skills, names alone do: in a list, or in one line. */
const written = z.preprocess(
  (given) => (typeof given === 'string' ? given.split(/\s+/).filter(Boolean) : given),
  z.array(z.preprocess((one) => (typeof one === 'string' ? { name: one } : one), argument)).max(50),
)

/** The arguments of a skill, from its front matter. */
export const skillArguments = written.superRefine((all, context) => {
  all.forEach((one, at) => {
    if (all.findIndex((other) => other.name === one.name) === at) return
    context.addIssue({ code: 'custom', path: [at], message: `names ${one.name} twice` })
  })
})

/** The argument of every skill in addition to its own, unless one of them has this name. */
export const taskArgument: PromptArgument = {
  name: 'task',
  description: 'What to do with it',
  required: false,
}

/** All arguments of a skill. */
export function toPromptArguments(own: readonly PromptArgument[] = []): PromptArgument[] {
  const isTaken = own.some((one) => one.name === taskArgument.name)
  return isTaken ? [...own] : [...own, taskArgument]
}

/**
 * The text with values in place of `$name`, and of `$ARGUMENTS` for the task; other dollar signs
 * are text. In one pass, so that no value is expanded again. Values without a placeholder follow
 * the text, so that none is lost.
 */
export function fillSkill(
  text: string,
  own: readonly PromptArgument[] = [],
  given: Readonly<Record<string, string>>,
): string[] {
  const names = own.map((one) => one.name)
  const valueOf = (mark: string): string | undefined =>
    Object.hasOwn(given, mark) ? given[mark] : undefined
  const used = new Set<string>()
  const marks = [...names, freeText].sort((left, right) => right.length - left.length)
  const filled = text.replace(new RegExp(`\\$(${marks.join('|')})(?!\\w)`, 'g'), (_whole, mark) => {
    const meant = mark === freeText ? taskArgument.name : String(mark)
    used.add(meant)
    return valueOf(meant) ?? ''
  })
  const left = names.filter((one) => !used.has(one) && valueOf(one) !== undefined)
  const isTaskLeft = !names.includes(taskArgument.name) && !used.has(taskArgument.name)
  const task = isTaskLeft ? valueOf(taskArgument.name) : undefined
  return [
    filled,
    ...(left.length > 0 ? [left.map((one) => `${one}: ${valueOf(one) ?? ''}`).join('\n')] : []),
    ...(task === undefined ? [] : [task]),
  ]
}
