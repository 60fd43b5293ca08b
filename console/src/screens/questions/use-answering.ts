import { useMemo, useState } from 'react'
import { toProblem } from '../../api/problem.ts'
import { useToolInput } from '../../form/tool-input.tsx'
import { useIsOver } from '../approvals/expiry.tsx'
import { toFormTool } from './to-form-tool.ts'
import { useReply } from './use-questions.ts'
import type { AskedQuestion } from './use-questions.ts'

interface AnsweringOptions {
  question: AskedQuestion
  onReplied?: (ended: AskedQuestion) => void
}

export type Answering = ReturnType<typeof useAnswering>

/** The state of an answer before it is sent. A reason that is not undefined means a decline. */
export function useAnswering({ question, onReplied }: AnsweringOptions) {
  const tool = useFormTool(question)
  const fields = useToolInput({ tool })
  const [reason, setReason] = useState<string>()
  const reply = useReply(question)
  const isOver = useIsOver(question.expiresAt)
  const isBusy = reply.isPending || isOver

  function onSuccess(ended: AskedQuestion) {
    fields.dropDraft()
    onReplied?.(ended)
  }
  /** Invalid input is shown at its field. */
  function onError(error: unknown) {
    const { code, issues } = toProblem(error)
    if (code === 'invalid_input') fields.setServerIssues(issues)
  }
  function answer() {
    if (isBusy || reason !== undefined || !fields.check()) return
    reply.mutate({ answer: fields.value }, { onSuccess, onError })
  }
  function decline() {
    if (isBusy) return
    if (reason === undefined) setReason('')
    else reply.mutate({ decline: reason.trim() }, { onSuccess })
  }
  return { tool, fields, reason, setReason, reply, isOver, answer, decline }
}

/** The same object until something changes: a form is created for its schema. */
function useFormTool({ id, schema, form }: AskedQuestion) {
  const key = JSON.stringify([schema, form])
  return useMemo(() => {
    const [inputSchema, ofForm] = JSON.parse(key) as [
      AskedQuestion['schema'],
      AskedQuestion['form'] | null,
    ]
    return toFormTool(id, inputSchema, ofForm ?? undefined)
  }, [id, key])
}
