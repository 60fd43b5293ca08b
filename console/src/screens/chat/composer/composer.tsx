import { ActionIcon, FileButton, Textarea, Tooltip } from '@mantine/core'
import { IconArrowUp, IconPaperclip, IconPlayerStopFilled } from '@tabler/icons-react'
import { useEffect, useRef } from 'react'
import type { KeyboardEvent } from 'react'
import { useCan } from '../../../api/me.ts'
import type { LiveConversation } from '../turn/live-conversation.ts'
import type { LivePhase } from '../turn/live-store.ts'
import { useLiveState } from '../turn/use-live-conversation.ts'
import type { StoredConversation } from '../turn/use-conversation.ts'
import { AttachmentRow } from './attachment-row.tsx'
import { acceptedFiles } from './attachments.ts'
import { useDraft } from './use-draft.ts'
import { useStop } from './use-stop.ts'
import styles from './composer.module.css'

interface ComposerProps {
  live: LiveConversation
  agent: string
  /** The agent's name, for people. */
  name: string
  conversation: string | undefined
  stored: StoredConversation | undefined
  /** The prompt in the address. */
  prompt: string | undefined
  /** The agent can't answer now. */
  isBroken: boolean
}

/** The message field. Enter sends, Shift+Enter starts a new line. */
export function Composer(props: ComposerProps) {
  const { live, agent, name, conversation, stored, prompt, isBroken } = props
  const { phase, turnId } = useLiveState(live)
  const draft = useDraft(`${agent}.${conversation ?? 'new'}`, prompt)
  const { isBusy, isWaiting } = toActivity(phase, stored)
  const maySend = !isBusy && !isBroken && !draft.isEmpty

  async function send() {
    if (!maySend) return
    const parts = await draft.take()
    const isAccepted = await live.send(parts)
    if (!isAccepted) draft.giveBack()
  }
  return (
    <div>
      {isWaiting && <WaitingNote />}
      {draft.refused.map((words) => (
        <p key={words} className={styles.refused} role="alert">
          {words}
        </p>
      ))}
      <section className={styles.composer} aria-label="New message">
        <AttachmentRow attachments={draft.attachments} onRemove={draft.detach} />
        <Field draft={draft} name={name} onSend={() => void send()} />
        <div className={styles.actions}>
          <Attach draft={draft} />
          <span className={styles.keys}>Enter to send · Shift+Enter for a new line</span>
          {isBusy ? (
            <Stop turnId={turnId ?? stored?.detail.turnId} />
          ) : (
            <ActionIcon
              variant="filled"
              color="iris"
              size={36}
              aria-label="Send"
              disabled={!maySend}
              onClick={() => void send()}
            >
              <IconArrowUp size={17} />
            </ActionIcon>
          )}
        </div>
      </section>
    </div>
  )
}

function WaitingNote() {
  const mayDecide = useCan('approvals.decide')
  return (
    <p className={styles.hint}>
      The agent is waiting for approval. {mayDecide ? 'Decide above, or stop it' : 'Stop it'} to
      send another message.
    </p>
  )
}

function toActivity(phase: LivePhase, stored: StoredConversation | undefined) {
  const isIdle = phase === 'idle'
  const { status = 'idle', waiting = [] } = stored?.detail ?? {}
  return { isBusy: !isIdle || status !== 'idle', isWaiting: isIdle && waiting.length > 0 }
}

type Draft = ReturnType<typeof useDraft>

interface FieldProps {
  draft: Draft
  name: string
  onSend: () => void
}

function Field({ draft, name, onSend }: FieldProps) {
  const field = useRef<HTMLTextAreaElement>(null)
  useEffect(() => {
    // On a phone, focusing would open the keyboard over the conversation.
    if (!window.matchMedia('(min-width: 48em)').matches) return
    field.current?.focus()
    // The cursor goes behind the prefilled text.
    const end = field.current?.value.length ?? 0
    field.current?.setSelectionRange(end, end)
  }, [])
  function onKeyDown(event: KeyboardEvent) {
    // Enter also ends an IME composition; that does not send the message.
    if (event.key !== 'Enter' || event.shiftKey || event.nativeEvent.isComposing) return
    event.preventDefault()
    onSend()
  }
  return (
    <Textarea
      ref={field}
      aria-label="Message"
      placeholder={`Ask ${name}…`}
      variant="unstyled"
      autosize
      minRows={1}
      maxRows={10}
      size="md"
      dir="auto"
      maxLength={200_000}
      value={draft.text}
      onChange={(event) => draft.setText(event.currentTarget.value)}
      onKeyDown={onKeyDown}
      onPaste={(event) => draft.attach([...event.clipboardData.files])}
      onDragOver={(event) => event.preventDefault()}
      onDrop={(event) => {
        event.preventDefault()
        draft.attach([...event.dataTransfer.files])
      }}
      classNames={{ input: styles.input ?? '' }}
    />
  )
}

function Attach({ draft }: { draft: Draft }) {
  const reset = useRef<() => void>(null)
  return (
    <FileButton
      multiple
      accept={acceptedFiles}
      resetRef={reset}
      onChange={(files) => {
        draft.attach(files)
        reset.current?.()
      }}
    >
      {(props) => (
        <Tooltip label="Attach files">
          <ActionIcon {...props} aria-label="Attach files">
            <IconPaperclip size={17} stroke={1.6} />
          </ActionIcon>
        </Tooltip>
      )}
    </FileButton>
  )
}

function Stop({ turnId }: { turnId: string | undefined }) {
  const stop = useStop(turnId)
  return (
    <ActionIcon
      variant="filled"
      color="gray.8"
      size={36}
      aria-label="Stop"
      loading={stop.isPending}
      onClick={() => stop.mutate()}
    >
      <IconPlayerStopFilled size={15} />
    </ActionIcon>
  )
}
