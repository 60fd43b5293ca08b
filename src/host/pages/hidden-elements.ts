import type { HiddenNames } from './hidden-names.ts'
import { isUnseenStyle } from './unseen-style.ts'

/** The attributes of an element, by their lower-case names. */
export type Attributes = Readonly<Record<string, string>>

/** Classes by which frameworks hide, or keep text for screen readers. */
const unseenClasses = new Set([
  'sr-only',
  'visually-hidden',
  'visuallyhidden',
  'screen-reader-text',
  'screen-reader-only',
  'd-none',
  'hidden',
  'is-hidden',
  'hide',
])

/** True for an element that people who look at the page do not see. */
export function isHidden(name: string, attributes: Attributes, hidden: HiddenNames): boolean {
  if ('hidden' in attributes) return true
  if (attributes['aria-hidden']?.trim().toLowerCase() === 'true') return true
  if (name === 'dialog' && !('open' in attributes)) return true
  const { style, id, class: classes } = attributes
  if (style !== undefined && isUnseenStyle(style)) return true
  if (id !== undefined && hidden.ids.has(id)) return true
  return classes !== undefined && hasUnseenClass(classes, hidden)
}

function hasUnseenClass(classes: string, hidden: HiddenNames): boolean {
  return classes
    .slice(0, 1000)
    .split(/\s+/)
    .some((name) => unseenClasses.has(name) || hidden.classes.has(name))
}
