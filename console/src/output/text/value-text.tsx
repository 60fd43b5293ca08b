import type { JsonValue } from '../../api/json.ts'
import { Tag } from '../../ui/tag.tsx'
import type { Tone } from '../../ui/tag.tsx'
import { cut, formatValue } from '../values/format-value.ts'
import { Markdown } from './markdown.tsx'
import { toSafeAddress, toSafeText } from '../values/safe-text.ts'
import type { ViewColumn } from '../values/view-types.ts'
import styles from '../output.module.css'

const tones: Record<string, Tone> = { good: 'allow', caution: 'ask', bad: 'deny', neutral: 'plain' }
/** A cell shows the beginning; the JSON view and copies have all of it. */
const mostText = 2000

/** A single value in its format: text, a word with a meaning, or a link. */
export function ValueText({
  value,
  column,
}: {
  value: JsonValue | undefined
  column: Partial<ViewColumn>
}) {
  const said = cut(formatValue(value, column), mostText)
  const tone = toneOf(value, column)
  if (tone !== undefined) return <Tag tone={tone}>{said}</Tag>
  if (typeof value === 'string') {
    if (column.format === 'markdown') return <Markdown text={value} />
    if (column.format === 'code') return <code>{said}</code>
    if (column.format === undefined || column.format === 'link') {
      const address = toSafeAddress(value)
      if (address !== undefined) return <SafeLink address={address}>{value}</SafeLink>
    }
    return <span dir="auto">{said}</span>
  }
  return <>{said}</>
}

function toneOf(value: JsonValue | undefined, { tones: said }: Partial<ViewColumn>) {
  const key = typeof value === 'string' || typeof value === 'boolean' ? String(value) : undefined
  if (said === undefined || key === undefined || !Object.hasOwn(said, key)) return undefined
  return tones[said[key] ?? 'neutral']
}

/** An untrusted link: it shows its target, and the target receives no referrer. */
export function SafeLink({ address, children }: { address: string; children: string }) {
  return (
    <a
      className={styles.link}
      href={address}
      title={address}
      target="_blank"
      rel="noreferrer noopener nofollow"
      dir="auto"
    >
      {toSafeText(children)}
    </a>
  )
}
