import { memo, Suspense } from 'react'
import { Fallback } from '../fallback.tsx'
import { cut } from '../values/format-value.ts'
import { MarkdownDrawing } from './lazy-markdown.ts'
import { toSafeText } from '../values/safe-text.ts'
import styles from './markdown.module.css'

/** More than this is not laid out; nobody reads it so, and reading it would hold up the tab. */
const mostText = 200_000

/** Quotes within quotes beyond any sense: laying them out would only overflow. */
const tooDeep = /^(?:[ \t]*>){60}/m

interface MarkdownProps {
  text: string
  /** More is coming: what is half written is closed for now. */
  isStreaming?: boolean
  /** Pictures within the text are drawn; those from elsewhere never are. */
  hasImages?: boolean
}

/** Markdown of a tool or a model: nobody we trust. No script, no remote image, no HTML. */
export const Markdown = memo(function Markdown({
  text,
  isStreaming = false,
  hasImages = true,
}: MarkdownProps) {
  const shown = toSafeText(cut(text, mostText))
  const plain = <pre className={styles.plain}>{shown}</pre>
  return (
    <div className={styles.markdown} dir="auto">
      <Fallback of={text} instead={plain}>
        <Suspense fallback={plain}>
          {tooDeep.test(shown) ? (
            plain
          ) : (
            <MarkdownDrawing text={shown} isStreaming={isStreaming} hasImages={hasImages} />
          )}
        </Suspense>
      </Fallback>
    </div>
  )
})
