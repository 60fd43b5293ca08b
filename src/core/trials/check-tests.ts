import type { Issue } from '../kernel/errors.ts'
import type { Tool } from '../kernel/tool.ts'
import { findPatternIssues } from './match-pattern.ts'

/**
 * The problems that a tool's tests have before they run: inputs that no longer match its schema, labels
 * that occur twice, and types that patterns do not know.
 */
export function findTestIssues({ contract, parseInput, isDynamic }: Tool): Issue[] {
  const tests = contract.tests ?? []
  const labels = tests.map(({ label }) => label)
  return tests.flatMap(({ label, input, expect }, index): Issue[] => {
    const at = `/tests/${index}`
    const issues: Issue[] = findPatternIssues(expect.output ?? null, `${at}/expect/output`)
    if (labels.indexOf(label) !== index) {
      issues.push({ path: `${at}/label`, message: `is the label of an earlier test: ${label}` })
    }
    // A test may send a wrong input on purpose, and a schema built for its caller is not known here.
    if (isDynamic || expect.error !== undefined || (expect.status ?? 'completed') !== 'completed') {
      return issues
    }
    const parsed = parseInput(input)
    if (parsed.ok) return issues
    return [
      ...issues,
      ...parsed.issues.map(({ path, message }) => ({ path: `${at}/input${path}`, message })),
    ]
  })
}
