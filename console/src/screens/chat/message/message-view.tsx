import { memo } from 'react'
import type { Approval } from '../../approvals/use-approvals.ts'
import { Markdown } from '../../../output/text/markdown.tsx'
import { isFilePart, isTextPart, isToolPart } from '../turn/message.ts'
import type { FilePart, Message, Part } from '../turn/message.ts'
import { FileView } from './file-view.tsx'
import { Reasoning } from './reasoning.tsx'
import { ToolCard } from './tool-card.tsx'
import styles from './message.module.css'

interface MessageViewProps {
  message: Message
  /** The pending approvals of this conversation. */
  waiting: readonly Approval[]
  wireNames: Readonly<Record<string, string>> | undefined
  agent: string
  /** The message may still grow. */
  isLive: boolean
}

/** A message of a person or an agent. None of its content is trusted. */
export const MessageView = memo(function MessageView({ message, ...rest }: MessageViewProps) {
  if (message.role === 'user') return <Said message={message} />
  return (
    <article className={styles.assistant} aria-label={`Answer from ${rest.agent}`}>
      {message.parts.map((part, at) => (
        <PartView key={keyOf(part, at)} part={part} {...rest} />
      ))}
      <EarlyEnd reason={message.metadata?.finishReason} />
    </article>
  )
})

const earlyEnds: Readonly<Record<string, string>> = {
  length: 'The answer was cut off by the length limit.',
  'content-filter': 'The provider withheld the rest of the answer.',
}

/** The text alone does not show that the answer is incomplete. */
function EarlyEnd({ reason = '' }: { reason: string | undefined }) {
  const words = earlyEnds[reason]
  return words === undefined ? null : <p className={styles.early}>{words}</p>
}

function Said({ message }: { message: Message }) {
  const files = message.parts.filter(isFilePart)
  return (
    <article className={styles.user} aria-label="Question">
      {files.length > 0 && <Files files={files} />}
      {message.parts.filter(isTextPart).map(({ text }, at) => (
        <p key={at} dir="auto">
          {text}
        </p>
      ))}
    </article>
  )
}

function Files({ files }: { files: readonly FilePart[] }) {
  return (
    <div className={styles.files}>
      {files.map((file) => (
        <FileView key={file.url} file={file} />
      ))}
    </div>
  )
}

type PartProps = Omit<MessageViewProps, 'message'> & { part: Part }

/** Rendered again only if the part is a new object, so that a long answer stays cheap while it grows. */
const PartView = memo(function PartView(props: PartProps) {
  const { part, waiting, wireNames, agent, isLive } = props
  if (isToolPart(part)) {
    const approval = waiting.find(({ id }) => id === part.approval?.id)
    return (
      <ToolCard
        part={part}
        waiting={approval}
        wireNames={wireNames}
        agent={agent}
        isLive={isLive}
      />
    )
  }
  if (isFilePart(part)) return <Files files={[part]} />
  if (part.type === 'source-url') return <Source part={part} />
  if (!isTextPart(part) || part.text === '') return null
  const isStreaming = isLive && part.state === 'streaming'
  if (part.type === 'reasoning') return <Reasoning text={part.text} isStreaming={isStreaming} />
  return (
    <div className={styles.text} dir="auto">
      <Markdown text={part.text} isStreaming={isStreaming} />
    </div>
  )
})

/** A source cited by the provider. */
function Source({ part }: { part: Part }) {
  const { url } = part
  if (typeof url !== 'string' || !/^https?:\/\//i.test(url)) return null
  return (
    <div className={styles.sources}>
      <a href={url} target="_blank" rel="noreferrer noopener nofollow">
        {url}
      </a>
    </div>
  )
}

function keyOf(part: Part, at: number): string {
  return isToolPart(part) ? part.toolCallId : `${part.type} ${at}`
}
