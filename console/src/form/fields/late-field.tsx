import { Suspense } from 'react'
import type { ComponentType } from 'react'
import { Bone } from '../../ui/bone.tsx'
import { late } from '../../ui/late.tsx'
import { Labelled } from './labelled.tsx'
import type { PieceProps } from './piece.ts'

/** A field that few forms have, loaded with the first of them. Its label and its place are there at once. */
export function lateField(load: () => Promise<ComponentType<PieceProps>>) {
  const Loaded = late(load)
  return function LateField(piece: PieceProps) {
    const place = (
      <Labelled piece={piece}>
        <Bone height={36} />
      </Labelled>
    )
    return (
      <Suspense fallback={place}>
        <Loaded {...piece} />
      </Suspense>
    )
  }
}
