import { Suspense } from 'react'
import type { ComponentType } from 'react'
import { Skeleton } from '../../ui/skeleton.tsx'
import { lazyPart } from '../../ui/lazy-part.tsx'
import { Labelled } from './labelled.tsx'
import type { PieceProps } from './piece.ts'

/** A field that few forms have, loaded with the first of them. Its label and its place are there at once. */
export function lazyField(load: () => Promise<ComponentType<PieceProps>>) {
  const Loaded = lazyPart(load)
  return function LateField(piece: PieceProps) {
    const place = (
      <Labelled piece={piece}>
        <Skeleton height={36} />
      </Labelled>
    )
    return (
      <Suspense fallback={place}>
        <Loaded {...piece} />
      </Suspense>
    )
  }
}
