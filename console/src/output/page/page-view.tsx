import { Tag } from '../../ui/tag.tsx'
import { CodeView } from '../code/code-view.tsx'
import { Markdown } from '../text/markdown.tsx'
import { SafeLink } from '../text/value-text.tsx'
import { TextFrame } from '../text/text-frame.tsx'
import { LongText } from '../text/long-text.tsx'
import { cut } from '../values/format-value.ts'
import { toSafeAddress, toSafeLine } from '../values/safe-text.ts'
import styles from './page.module.css'

export interface PageViewProps {
  text: string
  label: string
  url?: string | undefined
  title?: string | undefined
  status?: number | undefined
  format?: string | undefined
  isTruncated?: boolean | undefined
}

const mostText = 200_000

/** The text of a page from the web: where it is from, and that nobody here wrote it. */
export function PageView(props: PageViewProps) {
  const { text, label, format } = props
  return (
    <div className={styles.page}>
      <Origin {...props} />
      {format === 'html' || format === 'raw' ? (
        <CodeView text={text} label={label} language={format === 'html' ? 'html' : undefined} />
      ) : (
        <TextFrame
          label={label}
          text={text}
          isWrapped
          isLaidOut
          facts={<Facts {...props} />}
          foot={text.length > mostText && 'The rest is not shown. Copy it to get all of it.'}
        >
          <div className={styles.text} dir="auto">
            {format === 'text' ? (
              <p className={styles.plain}>
                <LongText text={cut(text, mostText)} />
              </p>
            ) : (
              <Markdown text={text} hasImages={false} />
            )}
          </div>
        </TextFrame>
      )}
    </div>
  )
}

function Origin({ url, title, status }: PageViewProps) {
  const address = url === undefined ? undefined : toSafeAddress(url)
  return (
    <div className={styles.origin}>
      {title !== undefined && title !== '' && (
        <b className={styles.title} dir="auto">
          {toSafeLine(cut(title, 300))}
        </b>
      )}
      {status !== undefined && (
        <Tag tone={status < 400 ? 'plain' : 'deny'}>{`Status ${status}`}</Tag>
      )}
      {url !== undefined && (
        <span className={styles.address}>
          {address === undefined ? (
            toSafeLine(cut(url, 500))
          ) : (
            <SafeLink address={address}>{cut(url, 500)}</SafeLink>
          )}
        </span>
      )}
    </div>
  )
}

function Facts({ isTruncated }: PageViewProps) {
  return (
    <>
      <span>Untrusted text from the web</span>
      {isTruncated === true && <span>Truncated</span>}
    </>
  )
}
