import { ActionIcon, Tooltip } from '@mantine/core'
import { useClipboard } from '@mantine/hooks'
import { IconCheck, IconCopy } from '@tabler/icons-react'
import styles from './copy.module.css'

/** An id or a slug: press it and it is copied. */
export function CopyText({ text, label }: { text: string; label?: string }) {
  const { copied, copy } = useClipboard()
  return (
    <Tooltip label={copied ? 'Copied' : 'Copy'}>
      <button
        type="button"
        className={styles.copy}
        onClick={(event) => {
          event.stopPropagation()
          copy(text)
        }}
        aria-label={`Copy ${label ?? text}`}
      >
        <span dir="auto">{label ?? text}</span>
        {copied && <IconCheck size={12} aria-hidden="true" />}
      </button>
    </Tooltip>
  )
}

/** The same for something that is not shown in full, such as a block of code. */
export function CopyButton({ text, label = 'Copy' }: { text: string; label?: string }) {
  const { copied, copy } = useClipboard()
  return (
    <Tooltip label={copied ? 'Copied' : label}>
      <ActionIcon onClick={() => copy(text)} aria-label={label}>
        {copied ? <IconCheck size={16} /> : <IconCopy size={16} />}
      </ActionIcon>
    </Tooltip>
  )
}
