import { useMediaQuery } from '@mantine/hooks'
import { useEffect, useEffectEvent } from 'react'

interface Listed {
  readonly id: string
  readonly createdAt: string
}

/** Keeps the selected one in the list, in its place, after it has ended. */
export function withChosen<T extends Listed>(
  listed: readonly T[],
  chosen: T | undefined,
): readonly T[] {
  if (chosen === undefined || listed.some(({ id }) => id === chosen.id)) return listed
  return [...listed, chosen].toSorted((one, other) => (one.createdAt < other.createdAt ? -1 : 1))
}

/**
 * Moves the selection, which lives in the address so that a new item can't move it. Where there is
 * room beside the list, the first one is selected by itself. Returns whether there was one to move to.
 */
export function useChosen(
  items: readonly Listed[],
  id: string | undefined,
  open: (id: string) => void,
): (step: 1 | -1) => boolean {
  const isWide = useMediaQuery('(min-width: 48em)') ?? true
  const first = items[0]?.id
  const select = useEffectEvent(open)
  useEffect(() => {
    if (isWide && id === undefined && first !== undefined) select(first)
  }, [isWide, id, first])
  return (step) => {
    const to = items[items.findIndex((one) => one.id === id) + step]
    if (to !== undefined) open(to.id)
    return to !== undefined
  }
}
