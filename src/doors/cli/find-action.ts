import type { Command, CommandContext } from './command.ts'
import { didYouMean } from './nearest-names.ts'
import { usageError } from './parse-options.ts'

/** An id, such as `call_0199…`. No action has a name like that. */
const looksLikeId = /^[a-z]+_[0-9a-f]{8,}/

/** Runs what the first word names: `keys create`. Without one it lists; an id alone is shown. */
export function findAction(
  command: string,
  actions: Readonly<Record<string, Command['run']>>,
  context: CommandContext,
): Promise<number> {
  const name = context.words[0] ?? 'list'
  const action = Object.hasOwn(actions, name) ? actions[name] : undefined
  if (action !== undefined) return action(context)
  const { show } = actions
  if (show !== undefined && looksLikeId.test(name)) {
    return show({ ...context, words: ['show', ...context.words] })
  }
  const names = Object.keys(actions)
  throw usageError(
    `toolcrib ${command} has no action ${name}.`,
    didYouMean(name, names, `toolcrib ${command} `) ?? `Its actions are ${names.join(', ')}.`,
  )
}
