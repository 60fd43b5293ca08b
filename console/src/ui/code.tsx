import { CopyButton } from './copy.tsx'
import styles from './code.module.css'

/** Text to be copied as it is: a command, a snippet, a piece of configuration. */
export function Code({ text, label }: { text: string; label: string }) {
  return (
    <div className={styles.code}>
      {/* Long lines scroll, so the keyboard has to reach them. */}
      <pre tabIndex={0} aria-label={label}>
        <code>{text}</code>
      </pre>
      <span className={styles.copy}>
        <CopyButton text={text} label={`Copy ${label}`} />
      </span>
    </div>
  )
}
