import type { JsonValue } from '../../api/json.ts'
import { diffWords } from './text-diff.ts'
import styles from './text-diff.module.css'

interface TextDiffProps {
  before: JsonValue | undefined
  after: JsonValue | undefined
}

/** The difference between two values as text; screen readers hear what was removed and added. */
export function TextDiff({ before, after }: TextDiffProps) {
  const parts = diffWords(toText(before), toText(after))
  return (
    <pre className={styles.diff} tabIndex={0} aria-label="Changes" dir="auto">
      {parts.map(({ kind, text }, index) => {
        if (kind === 'same') return <span key={index}>{text}</span>
        return kind === 'gone' ? (
          <del key={index}>
            <span className="visually-hidden">removed: </span>
            {showHidden(text)}
          </del>
        ) : (
          <ins key={index}>
            <span className="visually-hidden">added: </span>
            {showHidden(text)}
          </ins>
        )
      })}
    </pre>
  )
}

function toText(value: JsonValue | undefined): string {
  if (value === undefined) return ''
  return typeof value === 'string' ? value : JSON.stringify(value, null, 2)
}

/** Makes invisible characters visible: a description can use them to hide instructions for a model. */
function showHidden(text: string): string {
  return text.replaceAll(
    /[\p{Cf}\u{e0000}-\u{e007f}]/gu,
    (sign) => `⟨U+${(sign.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}⟩`,
  )
}
