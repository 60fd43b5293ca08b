import { useMemo, useState } from 'react'
import type { Api } from '../../api/client.ts'
import type { JsonValue } from '../../api/json.ts'
import { holds, useMe } from '../../api/me.ts'
import { toProblem } from '../../api/problem.ts'
import { useToolInput } from '../../form/tool-input.tsx'
import { isSame } from './difference.ts'
import { useIsOver } from './expiry.tsx'
import { noRemember, toRemember } from './remember-choice.ts'
import { toUnknownTool } from './unknown-tool.ts'
import type { Approval } from './use-approvals.ts'
import { useDecide } from './use-decide.ts'
import { whyNot } from './why-not.ts'

interface DecidingOptions {
  approval: Approval
  tool: Api<'ToolDetail'> | undefined
  onDecided: (decided: Approval) => void
  /** Someone else decided or edited it first: the request shows that itself. */
  onLate: () => void
}

export type DecidingState = ReturnType<typeof useDeciding>

/** The state of a decision before it is sent: edits, the note, and what to remember. */
export function useDeciding({ approval, tool: known, onDecided, onLate }: DecidingOptions) {
  const input = (approval.input ?? null) as JsonValue
  // The same object until something changes: a form is created for its schema.
  const tool = useMemo(() => known ?? toUnknownTool(approval.tool), [known, approval.tool])
  const fields = useToolInput({ tool, initial: input, keepDraft: false })
  const [isEditing, setEditing] = useState(false)
  const [note, setNote] = useState('')
  const [choice, setChoice] = useState(noRemember)
  const sending = useDecide(approval)
  const why = useWhyNot(approval)
  const isOver = useIsOver(approval.expiresAt)
  const mayDecide = why === undefined && !isOver
  const wanted = isEditing ? fields.value : input
  const isEdited = isEditing && !isSame(wanted, input)

  function send(body: Api<'DecisionRequest'>) {
    if (!mayDecide || sending.isPending) return
    const reason = note.trim()
    const whole = { ...body, revision: approval.revision, ...(reason !== '' && { reason }) }
    sending.mutate(whole, { onSuccess: onDecided, onError: onRefused })
  }
  /** Invalid input is shown at its field. */
  function onRefused(error: unknown) {
    const { code, issues } = toProblem(error)
    if (code === 'already_decided') onLate()
    if (code !== 'invalid_input') return
    setEditing(true)
    fields.setServerIssues(issues)
  }
  function approve() {
    if (isEditing && !fields.check()) return
    const remember = toRemember(choice, wanted)
    const changes = isEdited ? { input: wanted } : {}
    send({ decision: 'approve', ...(remember !== undefined && { remember }), ...changes })
  }
  function toggleEditing() {
    if (isEditing) fields.reset()
    setEditing(!isEditing)
  }
  return {
    approval,
    tool,
    isToolKnown: known !== undefined,
    input,
    wanted,
    fields,
    isEditing,
    isEdited,
    toggleEditing,
    edit: () => setEditing(mayDecide),
    note,
    setNote,
    choice,
    setChoice,
    why,
    isOver,
    sending,
    approve,
    reject: () => send({ decision: 'reject' }),
  }
}

function useWhyNot(approval: Approval): string | undefined {
  const { principal, agent, permissions } = useMe()
  return whyNot(approval, {
    principal,
    agent,
    holds: (permission) => holds(permissions, permission),
  })
}
