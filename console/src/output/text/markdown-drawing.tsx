import { useMemo } from 'react'
import type { ComponentProps } from 'react'
import ReactMarkdown from 'react-markdown'
import type { Components } from 'react-markdown'
import { harden } from 'rehype-harden'
import remarkGfm from 'remark-gfm'
import remend from 'remend'
import { blockRemote } from './block-remote.ts'
import { ImageView } from '../media/image-view.tsx'
import { toSafeAddress } from '../values/safe-text.ts'
import { ScrollBox } from '../scroll-box.tsx'
import { isPicture } from '../shape.ts'
import styles from './markdown.module.css'

type RehypePlugins = ComponentProps<typeof ReactMarkdown>['rehypePlugins']

/**
 * Three layers of defence: our own step replaces every address that is not allowed by its text, harden
 * checks again by its own rules, and the address is checked once more when it is rendered.
 */
const rehypePlugins: RehypePlugins = [
  blockRemote,
  [
    harden,
    {
      allowedLinkPrefixes: ['*'],
      allowedImagePrefixes: [],
      allowDataImages: true,
      linkBlockPolicy: 'text-only',
      imageBlockPolicy: 'text-only',
    },
  ],
]
const remarkPlugins = [remarkGfm]

interface MarkdownDrawingProps {
  text: string
  isStreaming: boolean
  hasImages: boolean
}

/** Markdown, drawn. In a chunk of its own. */
export function MarkdownDrawing({ text, isStreaming, hasImages }: MarkdownDrawingProps) {
  const whole = useMemo(
    () => (isStreaming ? remend(text, { linkMode: 'text-only' }) : text),
    [text, isStreaming],
  )
  return (
    <ReactMarkdown
      remarkPlugins={remarkPlugins}
      rehypePlugins={rehypePlugins}
      components={hasImages ? components : withoutImages}
      urlTransform={(address, key) => {
        if (key === 'src') return isPicture(address) ? address : undefined
        return toSafeAddress(address)
      }}
    >
      {whole}
    </ReactMarkdown>
  )
}

const components: Components = {
  a: ({ href, children }) =>
    href === undefined ? (
      <>{children}</>
    ) : (
      <a href={href} title={href} target="_blank" rel="noreferrer noopener nofollow">
        {children}
      </a>
    ),
  img: ({ src, alt }) =>
    typeof src === 'string' && isPicture(src) ? (
      <ImageView address={src} alt={alt ?? ''} isInline />
    ) : null,
  table: ({ children }) => (
    <ScrollBox className={styles.table} label="Table">
      <table>{children}</table>
    </ScrollBox>
  ),
  pre: ({ children }) => <pre tabIndex={0}>{children}</pre>,
  input: ({ checked }) => (
    <input
      type="checkbox"
      className={styles.task}
      checked={checked === true}
      readOnly
      disabled
      aria-label={checked === true ? 'Done' : 'To do'}
    />
  ),
}

const withoutImages: Components = {
  ...components,
  img: ({ alt }) => (
    <span data-blocked="">{alt === undefined || alt === '' ? 'Picture' : alt}</span>
  ),
}
