import type { Question } from '../../../../features/questions/model.ts'
import { toAsker } from '../../../../features/questions/terminal.ts'
import type { HttpClient } from '../../client/http-client.ts'
import type { Command, CommandContext } from '../../command.ts'
import { flagsOf } from '../../call/describe-flags.ts'
import { exit } from '../../exit-codes.ts'
import type { ByHand } from '../../operations/to-command.ts'
import { toSafeLine, toSafeText } from '../../output/safe-text.ts'
import type { Screen } from '../../output/screen.ts'
import { toTimeLeft } from '../../output/time-words.ts'
import { toValueLines } from '../../output/value-lines.ts'
import { findPendingId } from './find-pending-id.ts'

const noun = { one: 'question', prefix: 'qst', path: '/questions', command: 'questions' }

/** A question by its id, the beginning or end of it, or the id of its call. */
export async function readQuestion(
  client: HttpClient,
  given: string | undefined,
): Promise<Question> {
  const id = await findPendingId(client, given, noun)
  return client.read<Question>(`/questions/${encodeURIComponent(id)}`)
}

/** The verbs of `toolcrib questions` that are not operations. */
export const questionsByHand: ByHand = {
  actions: { show: { usage: ['questions show <id>'], isReading: true, run: show } },
}

async function show({ connect, words, screen }: CommandContext): Promise<number> {
  const { client } = await connect()
  const question = await readQuestion(client, words[1])
  if (screen.isJson) screen.json(question)
  else showQuestion(screen, question)
  return exit.ok
}

function showQuestion(screen: Screen, question: Question): void {
  const { id, callId, title, text, status, to, expiresAt, answer, answeredBy, reason } = question
  screen.out(`${screen.style('cyan', toSafeLine(id))} ${screen.style('bold', toSafeLine(status))}`)
  screen.out(
    `asked by ${toSafeLine(toAsker(question))} (${toSafeLine(callId)}), for ${toSafeLine(to.join(', '))}`,
  )
  if (status === 'pending') screen.out(`expires in ${toTimeLeft(expiresAt)}`)
  screen.out('')
  screen.out(screen.style('bold', toSafeLine(title)))
  if (text !== undefined) screen.out(toSafeText(text))
  if (answeredBy !== undefined) {
    screen.out('')
    const by = `${status} by ${answeredBy.kind}:${answeredBy.id}`
    screen.out(toSafeLine(reason === undefined ? by : `${by}: ${reason}`))
  }
  if (answer !== undefined) for (const line of toValueLines(answer, screen)) screen.out(line)
  if (!question.mayAnswer) return
  screen.out('')
  for (const { flag, type, isRequired, description } of flagsOf(question.schema)) {
    const facts = [type, ...(isRequired ? ['needed'] : [])].join(', ')
    screen.out(toSafeLine(`  --${flag} (${facts}) ${description}`.trimEnd()))
  }
  screen.err(`→ toolcrib answer ${toSafeLine(id)} --…`)
  screen.err(`→ toolcrib decline ${toSafeLine(id)} --reason …`)
}

/** `toolcrib decline`: say that nobody will answer. */
export const declineCommand: Command = {
  summary: 'Decline to answer a question; the call that asked fails with the reason.',
  usage: ['decline <id> [--reason TEXT]'],
  options: {
    reason: { type: 'string', value: 'TEXT', summary: 'the reason; the caller sees it' },
  },
  maxWords: 1,
  examples: ['toolcrib decline qst_0199… --reason "ask the accountants"'],
  run: decline,
}

async function decline({ connect, words, options, screen }: CommandContext): Promise<number> {
  const { client } = await connect()
  const { id } = await readQuestion(client, words[0])
  const reason = options.text('reason')
  const declined = await client.read<Question>(`/questions/${encodeURIComponent(id)}/decline`, {
    method: 'POST',
    body: reason === undefined ? {} : { reason },
  })
  if (screen.isJson) screen.json(declined)
  else screen.err(`${screen.errStyle('green', '✓')} declined ${toSafeLine(id)}`)
  return exit.ok
}
