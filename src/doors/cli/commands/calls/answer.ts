import type { JsonValue } from '../../../../core/kernel/json.ts'
import type { Question } from '../../../../features/questions/model.ts'
import { findConnectionHints } from '../../call/connection-hints.ts'
import { parseFlags } from '../../call/parse-flags.ts'
import { readInput } from '../../call/read-input.ts'
import { sendFiles } from '../../call/send-files.ts'
import { toInput } from '../../call/to-input.ts'
import type { CommandContext, OptionSpecs, RawCommand, RawContext } from '../../command.ts'
import { showCommandHelp } from '../../command-help.ts'
import { exit } from '../../exit-codes.ts'
import { toSafeLine } from '../../output/safe-text.ts'
import {
  everywhereOptions,
  parseOptions,
  splitAtFirstWord,
  toOptionValues,
  usageError,
} from '../../parse-options.ts'
import { runCommand } from '../../run-command.ts'
import { readQuestion } from './questions.ts'

const ownOptions: OptionSpecs = {
  input: {
    type: 'string',
    value: 'JSON|@FILE|-',
    summary: 'the answer as JSON, from a file or stdin; flags override it',
  },
}
const lineOptions: OptionSpecs = { ...everywhereOptions, ...ownOptions }

/** `toolcrib answer`: answer a question, with flags made from its form. */
export const answerCommand: RawCommand = {
  summary: 'Answer a question that a call put to you. Its flags come from its form.',
  usage: ['answer [options] <id> [--input JSON|@FILE|-] [--field value …]'],
  options: ownOptions,
  notes: [
    'toolcrib questions show <id> lists the fields. You can use the id of the call, or the beginning or end of an id.',
  ],
  examples: [
    'toolcrib answer qst_0199… --amount 20 --note "half of the order"',
    `toolcrib answer qst_0199… --input '{"amount":20}'`,
  ],
  runRaw: runAnswerLine,
}

async function runAnswerLine({ environment, screen, args }: RawContext): Promise<number> {
  const { before, word: id, after } = splitAtFirstWord(args, lineOptions)
  const certain = parseOptions(before, lineOptions)
  if (id === undefined || certain.options.flag('help')) {
    if (!certain.options.flag('help')) {
      throw usageError('Which question?', 'toolcrib questions lists their ids.')
    }
    showCommandHelp(screen, answerCommand)
    return exit.ok
  }
  // The fields are known once the server is, so its options are guessed first, as for a call.
  const hints = await findConnectionHints(after, environment)
  const options = toOptionValues(new Map([...certain.values, ...hints]))
  const run = (context: CommandContext) => answer(after, context)
  return runCommand({ run }, { environment, screen, words: [id], options })
}

async function answer(after: readonly string[], context: CommandContext): Promise<number> {
  const { connect, environment, words, screen } = context
  const { client } = await connect()
  const { id, schema } = await readQuestion(client, words[0])
  const { flags, own } = parseFlags(after, schema, lineOptions)
  const given = toOptionValues(own).text('input') ?? context.options.text('input')
  const sent = await sendFiles(flags, { client, environment })
  const input: JsonValue = toInput(await readInput(given, environment), sent)
  const answered = await client.read<Question>(`/questions/${encodeURIComponent(id)}/answer`, {
    method: 'POST',
    body: { input },
  })
  if (screen.isJson) screen.json(answered)
  else screen.err(`${screen.errStyle('green', '✓')} answered ${toSafeLine(id)}`)
  return exit.ok
}
