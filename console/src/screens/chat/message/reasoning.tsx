import styles from './message.module.css'

/** What the model thought on the way: there for who wants to know. */
export function Reasoning({ text, isStreaming }: { text: string; isStreaming: boolean }) {
  return (
    <details className={styles.reasoning}>
      <summary>{isStreaming ? 'Thinking…' : 'Reasoning'}</summary>
      <div dir="auto">{text}</div>
    </details>
  )
}
