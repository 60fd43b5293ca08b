import type { SpecKind } from './spec-kind.ts'

/** Every kind of spec. */
export const specKinds: readonly SpecKind[] = []
