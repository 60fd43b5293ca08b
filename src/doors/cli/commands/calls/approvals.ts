import type { Approval } from '../../../../core/approvals/approval.ts'
import { toRequester } from '../../../../features/approvals/terminal.ts'
import type { ApprovalPreview } from '../../../../core/approvals/approval-preview.ts'
import { toPreviewLines } from '../../call/preview-tool.ts'
import type { CommandContext } from '../../command.ts'
import { exit } from '../../exit-codes.ts'
import type { ByHand } from '../../operations/to-command.ts'
import { toSafeLine } from '../../output/safe-text.ts'
import type { Screen } from '../../output/screen.ts'
import { toTimeLeft } from '../../output/time-words.ts'
import { toValueLines } from '../../output/value-lines.ts'
import { findApprovalId } from './find-approval-id.ts'

/** The verbs of `toolcrib approvals` that are not operations. */
export const approvalsByHand: ByHand = {
  actions: { show: { usage: ['approvals show <id>'], isReading: true, run: show } },
}

async function show({ connect, words, screen }: CommandContext): Promise<number> {
  const { client } = await connect()
  const id = await findApprovalId(client, words[1])
  const approval = await client.read<Approval>(`/approvals/${encodeURIComponent(id)}`)
  if (screen.isJson) screen.json(approval)
  else showApproval(screen, approval)
  return exit.ok
}

function showPreview(screen: Screen, preview: ApprovalPreview | undefined): void {
  if (preview === undefined) return
  screen.out('')
  const { summary, changes = [], previous, error } = preview
  if (summary === undefined) {
    screen.out(`The preview is unavailable: ${toSafeLine(error?.message ?? 'it failed')}`)
    return
  }
  if (previous !== undefined) screen.out(screen.style('yellow', 'Changed since it was approved:'))
  for (const line of toPreviewLines({ ...preview, summary, changes }, screen)) screen.out(line)
}

function showApproval(screen: Screen, approval: Approval): void {
  const { id, tool, callId, status, input, reasons, needed, approvers, decisions } = approval
  screen.out(`${screen.style('cyan', toSafeLine(id))} ${screen.style('bold', toSafeLine(status))}`)
  screen.out(
    `${toSafeLine(tool)}, requested by ${toSafeLine(toRequester(approval))} (${toSafeLine(callId)})`,
  )
  for (const reason of reasons) screen.out(`because ${toSafeLine(reason)}`)
  if (needed > 1) screen.out(`needs ${needed} people`)
  if (approvers !== undefined) screen.out(`only ${toSafeLine(approvers.join(', '))} may decide`)
  if (status === 'pending') screen.out(`expires in ${toTimeLeft(approval.expiresAt)}`)
  screen.out('')
  for (const line of toValueLines(input, screen)) screen.out(line)
  showPreview(screen, approval.preview)
  if (decisions.length > 0) screen.out('')
  for (const { by, decision, reason, isEdited, at } of decisions) {
    const head = `${decision === 'approve' ? '✓' : '✗'} ${by.kind}:${by.id} ${at}`
    screen.out(toSafeLine([head, isEdited ? 'edited' : '', reason ?? ''].filter(Boolean).join(' ')))
  }
  if (status !== 'pending') return
  screen.err(`→ toolcrib approve ${toSafeLine(id)}`)
  screen.err(`→ toolcrib reject ${toSafeLine(id)} --reason …`)
}
