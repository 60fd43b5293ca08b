import { ActionIcon, Tooltip } from '@mantine/core'
import { IconTextWrap } from '@tabler/icons-react'
import { useState } from 'react'
import type { ReactNode, Ref } from 'react'
import { CopyButton } from '../../ui/copy.tsx'
import { ScrollBox } from '../scroll-box.tsx'
import styles from './text-frame.module.css'

interface TextFrameProps {
  label: string
  /** The text for the copy button, unchanged. */
  text?: string
  facts: ReactNode
  actions?: ReactNode
  foot?: ReactNode
  /** Long lines are wrapped unless somebody wants them whole. */
  isWrapped?: boolean
  /** Text that is laid out, such as Markdown, has no lines to wrap. */
  isLaidOut?: boolean
  boxRef?: Ref<HTMLDivElement>
  children: ReactNode
}

/** A text in a frame: facts about it above, how to show it, and the text in a box that scrolls. */
export function TextFrame(props: TextFrameProps) {
  const { label, text, facts, actions, foot, boxRef } = props
  const { isWrapped: isWrappedFirst = false, isLaidOut = false } = props
  const [isWrapped, setWrapped] = useState(isWrappedFirst)
  return (
    <div className={styles.frame} data-wrapped={isWrapped || undefined}>
      <div className={styles.head}>
        <div className={styles.facts}>{facts}</div>
        <div className={styles.actions}>
          {actions}
          {!isLaidOut && (
            <Tooltip label={isWrapped ? 'Don’t wrap lines' : 'Wrap lines'}>
              <ActionIcon
                aria-label={`Wrap lines of ${label}`}
                aria-pressed={isWrapped}
                onClick={() => setWrapped(!isWrapped)}
              >
                <IconTextWrap size={16} stroke={1.6} />
              </ActionIcon>
            </Tooltip>
          )}
          {text !== undefined && <CopyButton text={text} label={`Copy ${label}`} />}
        </div>
      </div>
      <ScrollBox className={styles.box} label={label} boxRef={boxRef}>
        {props.children}
      </ScrollBox>
      {foot !== undefined && foot !== false && <div className={styles.foot}>{foot}</div>}
    </div>
  )
}
