import { Button } from '@mantine/core'
import { useState } from 'react'
import { cut } from '../values/format-value.ts'
import { LongText } from './long-text.tsx'
import { ScrollBox } from '../scroll-box.tsx'
import { formatBytes } from '../../ui/format/format-bytes.ts'
import styles from '../output.module.css'

const shownFirst = 20_000
const mostShown = 1_000_000

interface TextBlockProps {
  text: string
  label: string
  isMono?: boolean
}

/** Text with its own ends of lines. A long one is cut, and can be shown further. */
export function TextBlock({ text, label, isMono = false }: TextBlockProps) {
  const [isAll, setAll] = useState(false)
  const shown = cut(text, isAll ? mostShown : shownFirst)
  const isCut = shown.length < text.length
  return (
    <>
      <ScrollBox
        className={isMono ? `${styles.text} ${styles.mono}` : styles.text}
        label={label}
        dir="auto"
      >
        <LongText text={shown} />
      </ScrollBox>
      {isCut && !isAll && (
        <Button variant="subtle" size="xs" mt={8} onClick={() => setAll(true)}>
          {`Show all (${formatBytes(text.length)})`}
        </Button>
      )}
      {isCut && isAll && (
        <p
          className={styles.note}
        >{`The first ${formatBytes(mostShown)} are shown. Copy it to get all of it.`}</p>
      )}
    </>
  )
}
