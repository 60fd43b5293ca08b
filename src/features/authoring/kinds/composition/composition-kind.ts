import { checkComposition } from '../../../../core/compositions/check-composition.ts'
import { deriveComposition } from '../../../../core/compositions/derive-composition.ts'
import { type CompositionSpec, compositionSpec } from '../../../../core/compositions/spec.ts'
import { toCompositionBehaviour } from '../../../../core/compositions/to-composition-behaviour.ts'
import type { SpecKind } from '../spec-kind.ts'

/** A tool whose work is calls of other tools. */
export const compositionKind: SpecKind<CompositionSpec> = {
  kind: 'composition',
  schema: compositionSpec,
  check: ({ spec, inputSchema }, known) =>
    checkComposition(spec, { inputSchema, known }).map((finding) => ({
      ...finding,
      path: `/spec${finding.path}`,
    })),
  derive({ spec }, known) {
    const derived = deriveComposition(spec, known)
    // A tool that is missing now may come back with any effect.
    const isWhole = spec.steps.every(({ tool }) => known.find(tool) !== undefined)
    return isWhole ? derived : { ...derived, effect: 'destructive' }
  },
  uses: ({ spec }) => [...new Set(spec.steps.map(({ tool }) => tool))],
  // Its reads run for a preview, and its other steps are previewed.
  toBehaviour: ({ spec }) => ({
    ...toCompositionBehaviour(spec),
    preview: 'calls',
    undo: 'calls',
  }),
}
