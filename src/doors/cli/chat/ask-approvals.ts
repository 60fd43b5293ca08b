import type { Approval } from '../../../core/approvals/approval.ts'
import type { ChatDecision } from '../../../core/conversations/conversation-api.ts'
import type { JsonValue } from '../../../core/kernel/json.ts'
import { toSafeLine } from '../output/safe-text.ts'
import type { Screen } from '../output/screen.ts'

/** Asks for a line; undefined once the terminal is closed. */
export type AskLine = (question: string) => Promise<string | undefined>

/** Asks about every waiting approval. An unanswered one (Enter, or no terminal) stays open. */
export async function askApprovals(
  waiting: readonly Approval[],
  { screen, agent, ask }: { screen: Screen; agent: string; ask: AskLine },
): Promise<ChatDecision[]> {
  const answers: ChatDecision[] = []
  for (const approval of waiting) {
    screen.err('')
    screen.err(screen.errStyle('yellow', `${toSafeLine(approval.tool)} waits for your word.`))
    const { agent: by } = approval.requestedBy
    if (by !== undefined && by !== agent) screen.err(`  asked by ${toSafeLine(by)}`)
    screen.err(`  input   ${toSafeLine(JSON.stringify(approval.input))}`)
    for (const reason of approval.reasons) screen.err(`  because ${toSafeLine(reason)}`)
    const answer = await askOne(approval, screen, ask)
    if (answer === 'later') break
    answers.push(answer)
  }
  return answers
}

async function askOne(
  approval: Approval,
  screen: Screen,
  ask: AskLine,
): Promise<ChatDecision | 'later'> {
  const { id } = approval
  for (;;) {
    const line = await ask('Run it? [y]es, [n]o, [e]dit the input, Enter for later: ')
    const word = line?.trim().toLowerCase()
    if (word === undefined || word === '') return 'later'
    if (/^y(es)?$/.test(word)) return { id, approved: true }
    if (/^no?$/.test(word)) return askReason(id, ask)
    if (!/^e(dit)?$/.test(word)) continue
    const input = parse(await ask('The input to run it with, as JSON: '))
    if (input !== undefined) return { id, approved: true, input }
    screen.err('That is no JSON.')
  }
}

async function askReason(id: string, ask: AskLine): Promise<ChatDecision> {
  const reason = (await ask('Why not? (shown to the agent; Enter for none) '))?.trim()
  return reason ? { id, approved: false, reason } : { id, approved: false }
}

function parse(line: string | undefined): JsonValue | undefined {
  try {
    return JSON.parse(line ?? '') as JsonValue
  } catch {
    return undefined
  }
}
