import type { Issue } from '../../kernel/errors.ts'
import { toPointer } from '../../kernel/json/json-pointer.ts'
import type { ToolEval } from '../../kernel/trial/tool-eval.ts'
import { describeKnown } from '../../patterns/nearest-name.ts'
import { isConditionLike } from '../../schema/tool-evals.ts'
import { findPatternIssues } from '../match-pattern.ts'
import { labelOf } from './eval-label.ts'

/** The problems of evals that need no other tool to be found: labels that occur twice, unknown types. */
export function findEvalIssues(evals: readonly ToolEval[]): Issue[] {
  const labels = evals.map(labelOf)
  return evals.flatMap(({ expect }, index): Issue[] => {
    const at = `/evals/${index}`
    const label = labels[index] ?? ''
    const answer = expect.answer ?? null
    const calls = expect.calls ?? []
    return [
      ...(labels.indexOf(label) === index
        ? []
        : [{ path: `${at}/label`, message: `is the label of an earlier eval: ${label}` }]),
      ...calls.flatMap(({ input = null }, call) =>
        findPatternIssues(input, `${at}/expect/calls/${call}/input`),
      ),
      ...(isConditionLike(answer) ? [] : findPatternIssues(answer, `${at}/expect/answer`)),
    ]
  })
}

/** The names in evals that no tool has. */
export function findUnknownTools(
  evals: readonly ToolEval[],
  { isKnown, names }: { isKnown(name: string): boolean; names(): readonly string[] },
): Issue[] {
  return evals.flatMap((test, index) =>
    namesIn(test).flatMap(({ path, tool }) => {
      if (isKnown(tool)) return []
      const message = `there is no tool ${tool} here; ${describeKnown(tool, names())}`
      return [{ path: `/evals/${index}${path}`, message }]
    }),
  )
}

function namesIn({ expect, given = {} }: ToolEval): { path: string; tool: string }[] {
  return [
    ...(expect.calls ?? []).map(({ tool }, at) => ({ path: `/expect/calls/${at}/tool`, tool })),
    ...(expect.not ?? []).map((tool, at) => ({ path: `/expect/not/${at}`, tool })),
    ...Object.keys(given).map((tool) => ({ path: toPointer(['given', tool]), tool })),
  ]
}
