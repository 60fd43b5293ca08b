import { Button, Textarea } from '@mantine/core'
import { IconCheck, IconX } from '@tabler/icons-react'
import { useImperativeHandle, useMemo, useState } from 'react'
import type { Ref } from 'react'
import { toProblem } from '../../api/problem.ts'
import { ToolInput, useToolInput } from '../../form/tool-input.tsx'
import { Refused } from '../../ui/refused.tsx'
import type { DecidingHandle } from '../approvals/deciding.tsx'
import { useIsOver } from '../approvals/expiry.tsx'
import styles from '../approvals/approvals.module.css'
import { toFormTool } from './to-form-tool.ts'
import { useReply } from './use-questions.ts'
import type { Question } from './use-questions.ts'

interface AnswerFormProps {
  question: Question
  onReplied?: (ended: Question) => void
  ref?: Ref<DecidingHandle>
}

/** The form of a question, to answer or decline it. What is typed is kept until then. */
export function AnswerForm({ question, onReplied, ref }: AnswerFormProps) {
  // The same object until something changes: a form is created for its schema.
  const { id, schema, form } = question
  const key = JSON.stringify([schema, form])
  const tool = useMemo(() => {
    const [inputSchema, ofForm] = JSON.parse(key) as [Question['schema'], Question['form'] | null]
    return toFormTool(id, inputSchema, ofForm ?? undefined)
  }, [id, key])
  const fields = useToolInput({ tool })
  const [reason, setReason] = useState<string>()
  const reply = useReply(question)
  const isOver = useIsOver(question.expiresAt)
  const isBusy = reply.isPending || isOver

  function onSuccess(ended: Question) {
    fields.dropDraft()
    onReplied?.(ended)
  }
  function answer() {
    if (isBusy || !fields.check()) return
    const onError = (error: unknown) => {
      const { code, issues } = toProblem(error)
      if (code === 'invalid_input') fields.setServerIssues(issues)
    }
    reply.mutate({ answer: fields.value }, { onSuccess, onError })
  }
  function decline() {
    if (isBusy) return
    if (reason === undefined) setReason('')
    else reply.mutate({ decline: reason.trim() }, { onSuccess })
  }
  useImperativeHandle(ref, () => ({ approve: answer, reject: decline, edit: () => undefined }))
  const isPlaced = reply.error !== null && toProblem(reply.error).code === 'invalid_input'
  return (
    <>
      <ToolInput tool={tool} state={fields} hasHistory={false} isDisabled={reply.isPending} />
      {reason !== undefined && <Reason value={reason} onChange={setReason} />}
      {reply.error !== null && <Refused error={reply.error} isPlaced={isPlaced} />}
      <div className={styles.bar}>
        {reason === undefined && (
          <Button
            leftSection={<IconCheck size={16} />}
            loading={reply.isPending}
            disabled={isOver}
            onClick={answer}
          >
            Answer
          </Button>
        )}
        <Button
          variant="default"
          color={reason === undefined ? 'iris' : 'red'}
          leftSection={<IconX size={16} />}
          loading={reply.isPending && reason !== undefined}
          disabled={isBusy}
          onClick={decline}
        >
          {toDeclineLabel(reason)}
        </Button>
        {reason !== undefined && (
          <Button variant="subtle" onClick={() => setReason(undefined)}>
            Back to the form
          </Button>
        )}
        {isOver && <span className={styles.hint}>This question has expired.</span>}
      </div>
    </>
  )
}

function toDeclineLabel(reason: string | undefined): string {
  if (reason === undefined) return 'Decline'
  return reason.trim() === '' ? 'Decline without a reason' : 'Decline with this reason'
}

function Reason({ value, onChange }: { value: string; onChange: (value: string) => void }) {
  return (
    <Textarea
      label="Reason"
      description="The call fails with it. Agents read it, too."
      autosize
      autoFocus
      minRows={2}
      maxRows={8}
      maxLength={2000}
      dir="auto"
      value={value}
      onChange={(event) => onChange(event.currentTarget.value)}
    />
  )
}
