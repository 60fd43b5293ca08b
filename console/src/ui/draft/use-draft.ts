import { useState } from 'react'
import { mergeDraft } from './merge-draft.ts'

/** Something while it is edited. */
export interface Drafting<From, Draft> {
  draft: Draft
  set(change: Partial<Draft>): void
  hasChanged: boolean
  /** Someone else changed the same fields: saving would conflict. */
  isStale: boolean
  /** The value, with its version, that the draft is based on. */
  basis: From
  startOver(from: From): void
}

/** A draft of what is stored. Changes of others are merged field by field and never overwrite typed text. */
export function useDraft<From, Draft extends object>(
  current: From,
  toDraft: (from: From) => Draft,
): Drafting<From, Draft> {
  const [base, setBase] = useState(current)
  const [draft, setDraft] = useState(() => toDraft(current))
  const before = toDraft(base)
  const now = toDraft(current)
  const isOld = !isSame(now, before)
  const merged = isOld ? mergeDraft({ before, now, draft }) : undefined
  if (merged !== undefined) {
    setBase(current)
    setDraft(merged)
  }
  return {
    draft,
    set: (change) => setDraft((old) => ({ ...old, ...change })),
    hasChanged: !isSame(draft, before),
    isStale: isOld && merged === undefined,
    // Otherwise other parts of it changed, which does not conflict.
    basis: isOld ? base : current,
    startOver(from) {
      setBase(from)
      setDraft(toDraft(from))
    },
  }
}

function isSame(one: object, other: object): boolean {
  return JSON.stringify(one) === JSON.stringify(other)
}
