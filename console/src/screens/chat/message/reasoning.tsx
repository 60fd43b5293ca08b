import styles from './message.module.css'

/** The model's reasoning, collapsed. */
export function Reasoning({ text, isStreaming }: { text: string; isStreaming: boolean }) {
  return (
    <details className={styles.reasoning}>
      <summary>{isStreaming ? 'Thinking…' : 'Reasoning'}</summary>
      <div dir="auto">{text}</div>
    </details>
  )
}
