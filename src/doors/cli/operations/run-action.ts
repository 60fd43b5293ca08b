import type { ApiRequest } from '../client/http-client.ts'
import type { CommandContext } from '../command.ts'
import { confirm } from '../confirm.ts'
import { exit } from '../exit-codes.ts'
import { toSafeLine } from '../output/safe-text.ts'
import type { Screen } from '../output/screen.ts'
import { showWarnings } from '../output/show-warnings.ts'
import { readAnswer, type AnswerPage } from './read-answer.ts'
import { readRequest, type Action } from './read-request.ts'
import { showAnswer, type AnySpec } from './show-answer.ts'
import { showList } from './show-list.ts'

/** Shows an answer to people; as JSON it is printed as it is. */
export type View = (context: CommandContext, output: never) => void

/** Asks the operation and shows what it answers. */
export async function runAction(
  action: Action,
  context: CommandContext,
  view?: View,
): Promise<number> {
  const { screen, words } = context
  const spec = action.spec as unknown as AnySpec
  const { path, request } = await readRequest(action, context)
  if (spec.asks !== undefined && !(await confirm(context, spec.asks(words[1] ?? ''))))
    return exit.failed
  const { client, kind } = await context.connect()
  if (action.request.answer === undefined) {
    await client.send(path, request)
    showDone(context, spec)
  } else {
    const output = await readAnswer(action, client, { path, request })
    if (view === undefined || screen.isJson) showOutput(screen, action, { output, request })
    else view(context, output as never)
    showWarnings(screen, output as { warnings?: readonly string[] })
    if (spec.isBad?.(output) === true) return exit.failed
  }
  if (kind === 'local' && !screen.isJson) showLocal(screen, spec)
  return exit.ok
}

function showOutput(
  screen: Screen,
  action: Action,
  { output, request: { query } }: { output: unknown; request: ApiRequest },
): void {
  if (screen.isJson) screen.json(output)
  else if (action.request.isList && action.spec.says === undefined)
    showList(screen, action, { page: output as AnswerPage, query })
  else showAnswer(screen, action, output)
}

function showLocal(screen: Screen, { whenLocal }: AnySpec): void {
  if (whenLocal !== undefined) screen.err(`! ${whenLocal}`)
}

/** After a change that has no answer. */
function showDone({ screen, words }: CommandContext, { done = 'deleted', ...spec }: AnySpec): void {
  const [name = 'id'] = spec.words ?? []
  if (screen.isJson) return screen.json({ [name]: words[1], [done]: true })
  const verb = `${done.charAt(0).toUpperCase()}${done.slice(1)}`
  screen.out(`${screen.style('green', '✓')} ${verb} ${toSafeLine(words[1] ?? '')}`)
}
