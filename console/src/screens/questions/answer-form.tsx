import { Button, Textarea } from '@mantine/core'
import { IconCheck, IconX } from '@tabler/icons-react'
import { useImperativeHandle } from 'react'
import type { Ref } from 'react'
import { toProblem } from '../../api/problem.ts'
import { ToolInput } from '../../form/tool-input.tsx'
import { Refused } from '../../ui/refused.tsx'
import type { DecidingHandle } from '../../ui/inbox/use-inbox-keys.ts'
import styles from '../approvals/approvals.module.css'
import { useAnswering } from './use-answering.ts'
import type { Answering } from './use-answering.ts'
import type { AskedQuestion } from './use-questions.ts'

interface AnswerFormProps {
  question: AskedQuestion
  onReplied?: (ended: AskedQuestion) => void
  ref?: Ref<DecidingHandle>
}

/** The form of a question, to answer or decline it. Typed values are kept until then. */
export function AnswerForm({ ref, ...options }: AnswerFormProps) {
  const state = useAnswering(options)
  const { tool, fields, reply, reason, answer, decline } = state
  useImperativeHandle(ref, () => ({ approve: answer, reject: decline, edit: () => undefined }))
  const isPlaced = reply.error !== null && toProblem(reply.error).code === 'invalid_input'
  return (
    <>
      <ToolInput tool={tool} state={fields} hasHistory={false} isDisabled={reply.isPending} />
      {reason !== undefined && <Reason value={reason} onChange={state.setReason} />}
      {reply.error !== null && <Refused error={reply.error} isPlaced={isPlaced} />}
      <Actions state={state} />
    </>
  )
}

function Actions({ state }: { state: Answering }) {
  const { reply, isOver, reason, answer, decline, setReason } = state
  if (reason !== undefined) {
    return (
      <div className={styles.bar}>
        <Button
          color="red"
          leftSection={<IconX size={16} />}
          loading={reply.isPending}
          disabled={isOver}
          onClick={decline}
        >
          {reason.trim() === '' ? 'Decline without a reason' : 'Decline with this reason'}
        </Button>
        <Button variant="default" onClick={() => setReason(undefined)}>
          Back to the form
        </Button>
      </div>
    )
  }
  return (
    <div className={styles.bar}>
      <Button
        leftSection={<IconCheck size={16} />}
        loading={reply.isPending}
        disabled={isOver}
        onClick={answer}
      >
        Answer
      </Button>
      <Button
        variant="default"
        leftSection={<IconX size={16} />}
        disabled={isOver || reply.isPending}
        onClick={decline}
      >
        Decline
      </Button>
      {isOver && <span className={styles.hint}>This question has expired.</span>}
    </div>
  )
}

function Reason({ value, onChange }: { value: string; onChange: (value: string) => void }) {
  return (
    <Textarea
      label="Reason"
      description="The call fails with it. Agents read it, too."
      autosize
      minRows={2}
      maxRows={8}
      maxLength={2000}
      dir="auto"
      value={value}
      onChange={(event) => onChange(event.currentTarget.value)}
      ref={focus}
    />
  )
}

/** It appears after a key or a click on Decline, and takes the next words. */
function focus(element: HTMLTextAreaElement | null): void {
  element?.focus()
}
