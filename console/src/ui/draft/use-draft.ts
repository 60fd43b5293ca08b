import { useState } from 'react'
import { mergeDraft } from './merge-draft.ts'

/** Something while it is edited. */
export interface Drafting<From, Draft> {
  draft: Draft
  set(change: Partial<Draft>): void
  hasChanged: boolean
  /** Somebody else has changed the same fields meanwhile: saving would meet a conflict. */
  isStale: boolean
  /** What the draft began from, as far as its version goes. */
  basis: From
  startOver(from: From): void
}

/**
 * A draft of what is stored. What others change meanwhile is taken over field by field, and never wipes
 * away what was typed.
 */
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
    // Where it is as it was, somebody has changed something else of it: that is no conflict.
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
