import { useState, useSyncExternalStore } from 'react'

/** A range of rows, inclusive. */
export interface RowsInSight {
  first: number
  last: number
}

interface Place {
  /** The offset of the first row from the top of the document. */
  top: number
  rowHeight: number
  /** Extra rows rendered above and below. */
  spare: number
}

/**
 * Which rows of a list with equal heights are visible. It renders again when a row enters or leaves,
 * not with every scrolled pixel.
 */
export function useRowsInSight({ top, rowHeight, spare }: Place): RowsInSight {
  const inSight = () => toRows(window.scrollY - top, window.innerHeight, { rowHeight, spare })
  const text = useSyncExternalStore(subscribe, () => {
    const { first, last } = inSight()
    return `${first} ${last}`
  })
  const [first = 0, last = 0] = text.split(' ').map(Number)
  return { first, last }
}

/** The rows between two heights. */
export function toRows(
  from: number,
  height: number,
  { rowHeight, spare }: Omit<Place, 'top'>,
): RowsInSight {
  const first = Math.floor(from / rowHeight)
  const last = Math.floor((from + height) / rowHeight)
  return { first: Math.max(0, first - spare), last: Math.max(0, last + spare) }
}

/** The offset of an element from the top of the document, measured when it appears. */
export function useTop(): [top: number, measure: (element: HTMLElement | null) => void] {
  const [top, setTop] = useState(0)
  const measure = (element: HTMLElement | null) => {
    if (element !== null) setTop(element.getBoundingClientRect().top + window.scrollY)
  }
  return [top, measure]
}

function subscribe(listener: () => void): () => void {
  window.addEventListener('scroll', listener, { passive: true })
  window.addEventListener('resize', listener)
  return () => {
    window.removeEventListener('scroll', listener)
    window.removeEventListener('resize', listener)
  }
}
