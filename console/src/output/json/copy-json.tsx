import { ActionIcon, Tooltip } from '@mantine/core'
import { useClipboard } from '@mantine/hooks'
import { IconCheck, IconCopy } from '@tabler/icons-react'
import type { JsonValue } from '../../api/json.ts'
import { toJsonText } from './json-text.ts'

/** Copies a value; its text is made when it is asked for, since it may be large. */
export function CopyJson({ value, label }: { value: JsonValue; label: string }) {
  const { copied, copy } = useClipboard()
  return (
    <Tooltip label={copied ? 'Copied' : label}>
      <ActionIcon
        size={28}
        aria-label={label}
        onClick={() => copy(typeof value === 'string' ? value : toJsonText(value))}
      >
        {copied ? <IconCheck size={16} stroke={1.6} /> : <IconCopy size={16} stroke={1.6} />}
      </ActionIcon>
    </Tooltip>
  )
}
