import { createHash } from 'node:crypto'
import { page } from '../reply.ts'
import type { Reply } from '../reply.ts'
import type { Html } from './html.ts'
import { layout } from './layout.ts'
import type { Layout } from './layout.ts'
import { styleSheet } from './styles.ts'

const styleTag = createHash('sha256').update(styleSheet).digest('base64url').slice(0, 12)

export interface PageView {
  title: string
  content: Html
  current?: Layout['current']
  isSignedIn?: boolean
  headers?: readonly string[]
}

/** A whole page as an answer. */
export function view(status: number, { isSignedIn = false, headers, ...rest }: PageView): Reply {
  return page(status, layout({ ...rest, isSignedIn, styleTag }), headers)
}
