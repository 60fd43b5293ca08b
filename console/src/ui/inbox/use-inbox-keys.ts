import { useEffect, useEffectEvent } from 'react'
import type { RefObject } from 'react'

/** The actions of keys on the selected item. */
export interface DecidingHandle {
  approve(): void
  reject(): void
  edit(): void
}

interface InboxKeys {
  move: (step: 1 | -1) => void
  deciding: RefObject<DecidingHandle | null>
}

/**
 * J and K (or the arrows) move, E edits, mod Enter approves, mod Backspace rejects. While typing,
 * only mod Enter works: mod Backspace deletes a word there.
 */
export function useInboxKeys({ move, deciding }: InboxKeys): void {
  const onKey = useEffectEvent((event: KeyboardEvent) => {
    if (event.defaultPrevented || event.altKey || hasDialog()) return
    const isTyping = isField(event.target)
    const action = toAction(event, isTyping)
    if (action === undefined) return
    event.preventDefault()
    if (action === 'next') move(1)
    else if (action === 'previous') move(-1)
    else deciding.current?.[action]()
  })
  useEffect(() => {
    const listener = (event: KeyboardEvent) => onKey(event)
    window.addEventListener('keydown', listener)
    return () => window.removeEventListener('keydown', listener)
  }, [])
}

type Action = 'next' | 'previous' | 'approve' | 'reject' | 'edit'

const plain: Readonly<Record<string, Action>> = {
  j: 'next',
  k: 'previous',
  ArrowDown: 'next',
  ArrowUp: 'previous',
  e: 'edit',
}

function toAction(event: KeyboardEvent, isTyping: boolean): Action | undefined {
  const { key, metaKey, ctrlKey, shiftKey } = event
  if (metaKey || ctrlKey) {
    if (key === 'Enter') return 'approve'
    return key === 'Backspace' && !isTyping ? 'reject' : undefined
  }
  if (isTyping || shiftKey) return undefined
  // Arrow keys belong to the focused element: a tree, a radio group, a scrolling region.
  const isArrow = key.startsWith('Arrow')
  if (isArrow && !isOnList(event.target)) return undefined
  return plain[key]
}

function isOnList(target: EventTarget | null): boolean {
  return (
    target === document.body ||
    (target instanceof HTMLElement &&
      (target.dataset['request'] !== undefined || /^H[1-6]$/.test(target.tagName)))
  )
}

/** Whether the element takes text; a checkbox does not. */
function isField(target: EventTarget | null): boolean {
  if (target instanceof HTMLInputElement) return !/^(?:checkbox|radio|button)$/.test(target.type)
  return (
    target instanceof HTMLElement &&
    (target.isContentEditable || /^(?:TEXTAREA|SELECT)$/.test(target.tagName))
  )
}

function hasDialog(): boolean {
  return document.querySelector('[role="dialog"]') !== null
}
