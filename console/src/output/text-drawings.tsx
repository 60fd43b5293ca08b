import { Suspense } from 'react'
import type { ReactNode } from 'react'
import type { JsonObject } from '../api/json.ts'
import { Fallback } from './fallback.tsx'
import { CodeView, DiffView, PageView, TerminalView } from './lazy-drawings.ts'
import type { DrawnKind } from './shape.ts'
import { TextBlock } from './text/text-block.tsx'
import { own } from './values/view-types.ts'

interface DrawnText {
  text: string
  label: string
  facts: JsonObject
  isPartial: boolean
}

/** Texts that are drawn with facts about them: code, what a program wrote, differences, a page. */
export function isDrawnText(kind: DrawnKind): boolean {
  return Object.hasOwn(views, kind)
}

/** One of them. Until its code is here, and if it can't be drawn, it is plain text. */
export function TextDrawing({ kind, ...drawn }: DrawnText & { kind: DrawnKind }) {
  const plain = <TextBlock text={drawn.text} label={drawn.label} isMono />
  return (
    <Fallback of={drawn.text} instead={plain}>
      <Suspense fallback={plain}>{views[kind as keyof typeof views](drawn)}</Suspense>
    </Fallback>
  )
}

const views = {
  code: ({ text, label, facts }) => (
    <CodeView
      text={text}
      label={label}
      path={textOf(facts, 'path')}
      language={textOf(facts, 'language')}
      firstLine={countOf(facts, 'firstLine')}
      totalLines={countOf(facts, 'totalLines')}
      isTruncated={isSo(facts, 'truncated')}
    />
  ),
  terminal: ({ text, label, facts, isPartial }) => (
    <TerminalView
      text={text}
      label={label}
      stderr={textOf(facts, 'stderr')}
      exitCode={numberOf(facts, 'exitCode')}
      signal={textOf(facts, 'signal')}
      hasTimedOut={isSo(facts, 'timedOut')}
      durationMs={countOf(facts, 'durationMs')}
      isTruncated={isSo(facts, 'truncated')}
      isLive={isPartial}
    />
  ),
  diff: ({ text, label, facts }) => (
    <DiffView
      text={text}
      label={label}
      files={Array.isArray(facts['files']) ? facts['files'].length : countOf(facts, 'files')}
      isTruncated={isSo(facts, 'truncated')}
    />
  ),
  page: ({ text, label, facts }) => (
    <PageView
      text={text}
      label={label}
      url={textOf(facts, 'url')}
      title={textOf(facts, 'title')}
      status={countOf(facts, 'status')}
      format={textOf(facts, 'format')}
      isTruncated={isSo(facts, 'truncated')}
    />
  ),
} satisfies Partial<Record<DrawnKind, (drawn: DrawnText) => ReactNode>>

function textOf(facts: JsonObject, name: string): string | undefined {
  const value = own(facts, name)
  return typeof value === 'string' ? value : undefined
}

function numberOf(facts: JsonObject, name: string): number | undefined {
  const value = own(facts, name)
  return typeof value === 'number' && Number.isSafeInteger(Math.trunc(value)) ? value : undefined
}

/** None below zero, and none that is not whole. */
function countOf(facts: JsonObject, name: string): number | undefined {
  const value = numberOf(facts, name)
  return value === undefined || value < 0 ? undefined : Math.trunc(value)
}

/** Tools say so with `true`, with how much is missing, or with a word about it. */
function isSo(facts: JsonObject, name: string): boolean {
  const value = own(facts, name)
  return value !== undefined && value !== null && value !== false && value !== 0 && value !== ''
}
