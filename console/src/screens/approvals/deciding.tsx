import { Button, Textarea } from '@mantine/core'
import { IconCheck, IconPencil, IconX } from '@tabler/icons-react'
import { useImperativeHandle } from 'react'
import type { Ref } from 'react'
import type { Api } from '../../api/client.ts'
import { toProblem } from '../../api/problem.ts'
import { ToolInput } from '../../form/tool-input.tsx'
import { InputView } from '../../input/input-view.tsx'
import type { DecidingHandle } from '../../ui/inbox/use-inbox-keys.ts'
import { Refused } from '../../ui/refused.tsx'
import { ChangeList } from './change-list.tsx'
import { Remember } from './remember.tsx'
import type { Approval } from './use-approvals.ts'
import { useDeciding } from './use-deciding.ts'
import type { DecidingState } from './use-deciding.ts'
import { saidYes } from './why-not.ts'
import styles from './approvals.module.css'

interface DecidingProps {
  approval: Approval
  /** Undefined if this person can't see the tool: its input is then edited as JSON. */
  tool: Api<'ToolDetail'> | undefined
  onDecided: (decided: Approval) => void
  onLate: () => void
  /** In a chat: shorter labels, and no option to remember. */
  isCompact?: boolean
  ref?: Ref<DecidingHandle>
}

/** The input of a pending call, and the decision on it. Its key must contain id and revision. */
export function Deciding({ isCompact = false, ref, ...options }: DecidingProps) {
  const state = useDeciding(options)
  const { approve, reject, edit, approval, why, isToolKnown } = state
  useImperativeHandle(ref, () => ({ approve, reject, edit }))
  if (why !== undefined) {
    return (
      <>
        <Arguments state={state} />
        <p className={styles.notice}>{why}</p>
      </>
    )
  }
  return (
    <>
      <Arguments state={state} />
      {state.isEditing && (
        <ChangeList tool={options.tool} before={state.input} after={state.fields.value} />
      )}
      <Note state={state} isCompact={isCompact} />
      {!isCompact && approval.needed === 1 && !approval.preview?.isForThisCall && (
        <Remember
          approval={approval}
          input={state.wanted}
          title={isToolKnown ? state.tool.title : approval.tool}
          isDestructive={state.tool.effect === 'destructive'}
          choice={state.choice}
          onChange={state.setChoice}
        />
      )}
      <WhyNotTaken error={state.sending.error} />
      <Verdict state={state} isCompact={isCompact} />
    </>
  )
}

/** Whether the decision is still open. The request shows what others did in the meantime. */
function WhyNotTaken({ error }: { error: unknown }) {
  if (error === null) return null
  const { code } = toProblem(error)
  if (code === 'already_decided') return null
  return <Refused error={error} isPlaced={code === 'invalid_input'} />
}

function Arguments({ state }: { state: DecidingState }) {
  const { isEditing, fields, input, tool, isToolKnown, why, isOver, sending } = state
  const button = why === undefined && (
    <Button
      variant="subtle"
      size="compact-xs"
      leftSection={<IconPencil size={14} stroke={1.6} />}
      disabled={isOver}
      onClick={state.toggleEditing}
    >
      {isEditing ? 'Discard changes' : 'Edit'}
    </Button>
  )
  if (!isEditing) {
    return (
      <InputView
        title="Input"
        tool={isToolKnown ? tool : undefined}
        value={input}
        actions={button}
      />
    )
  }
  return (
    <div>
      <div className={styles.sectionHead}>
        <span className={styles.label}>Edit the input</span>
        {button}
      </div>
      <ToolInput tool={tool} state={fields} hasHistory={false} isDisabled={sending.isPending} />
      {JSON.stringify(input).includes('[redacted:') && (
        <p className={styles.hint}>Hidden values are unchanged unless you replace them.</p>
      )}
    </div>
  )
}

function Note({ state, isCompact }: { state: DecidingState; isCompact: boolean }) {
  const words = isCompact
    ? { 'aria-label': 'Reason', placeholder: 'Reason (the agent sees it if you reject)' }
    : {
        label: 'Note',
        description: 'The agent sees it if you reject. It is recorded either way.',
      }
  return (
    <Textarea
      {...words}
      autosize
      minRows={isCompact ? 1 : 2}
      maxRows={8}
      maxLength={2000}
      dir="auto"
      value={state.note}
      onChange={(event) => state.setNote(event.currentTarget.value)}
    />
  )
}

function Verdict({ state, isCompact }: { state: DecidingState; isCompact: boolean }) {
  const { sending, isOver, tool, isToolKnown, note } = state
  const under = sending.isPending ? sending.variables.decision : undefined
  return (
    <div className={styles.bar} data-compact={isCompact || undefined}>
      <Button
        color={isToolKnown && tool.effect === 'destructive' ? 'red' : 'iris'}
        leftSection={<IconCheck size={16} />}
        loading={under === 'approve'}
        disabled={isOver}
        onClick={state.approve}
      >
        {describeYes(state)}
      </Button>
      <Button
        variant="default"
        leftSection={<IconX size={16} />}
        loading={under === 'reject'}
        disabled={isOver}
        onClick={state.reject}
      >
        {note.trim() === '' ? 'Reject' : 'Reject with this reason'}
      </Button>
      {isOver && <span className={styles.hint}>This request has expired.</span>}
    </div>
  )
}

function describeYes({ approval, isEdited }: DecidingState): string {
  const what = isEdited ? 'Approve with changes' : 'Approve and run'
  if (approval.needed === 1) return what
  // An edit starts over: approvals of the earlier input do not count.
  const before = isEdited ? 0 : saidYes(approval).length
  return `${isEdited ? what : 'Approve'} (${before + 1} of ${approval.needed})`
}
