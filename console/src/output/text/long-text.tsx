import { useMemo } from 'react'
import { toSafeText } from '../values/safe-text.ts'
import styles from '../output.module.css'

const blockLines = 200
const blockChars = 8000

/** Text in blocks that the browser lays out when they come into sight: a quarter of a megabyte at once would hold it up. */
export function LongText({ text }: { text: string }) {
  const blocks = useMemo(() => toBlocks(toSafeText(text)), [text])
  if (blocks.length === 1) return <>{blocks[0]}</>
  return blocks.map((block, index) => (
    <div key={index} className={styles.block}>
      {block}
    </div>
  ))
}

/** Cut at ends of lines; each block without its last one, which its end stands for. */
export function toBlocks(text: string): string[] {
  if (text.length <= blockChars) return [text]
  const blocks: string[] = []
  let lines: string[] = []
  let chars = 0
  for (const line of text.split('\n')) {
    lines.push(line)
    chars += line.length + 1
    if (lines.length < blockLines && chars < blockChars) continue
    blocks.push(lines.join('\n'))
    lines = []
    chars = 0
  }
  if (lines.length > 0) blocks.push(lines.join('\n'))
  // An empty block would have no height, and its line would be lost.
  return blocks.map((block) => (block === '' ? '\n' : block))
}
