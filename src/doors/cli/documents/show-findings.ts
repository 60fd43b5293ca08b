import type { Finding, PlacedFinding } from '../../../core/kernel/finding.ts'
import type { ParsedText } from '../../../features/authoring/files/parse-tool-text.ts'
import { toSafeLine } from '../output/safe-text.ts'
import type { Screen } from '../output/screen.ts'

export function placeFindings(
  findings: readonly Finding[],
  placeOf: ParsedText['placeOf'],
): PlacedFinding[] {
  return findings.map((finding) => ({ ...finding, ...placeOf(finding.path) }))
}

export function hasErrors(findings: readonly Finding[]): boolean {
  return findings.some(({ severity }) => severity === 'error')
}

/** `12:5 /spec/steps/0/tool names no tool`: line and column, as compilers print them. */
export function toFindingLine({ line, column, path, message, fix }: PlacedFinding): string {
  const at = line === undefined ? '' : `${line}:${column ?? 1} `
  const way = fix === undefined ? '' : ` → ${fix}`
  return toSafeLine(`${at}${path === '' ? 'The document' : path} ${message}${way}`)
}

/** To stderr: they are about the input, not the result. */
export function showFindings(screen: Screen, findings: readonly PlacedFinding[]): void {
  for (const finding of findings) {
    const isError = finding.severity === 'error'
    const mark = isError ? screen.errStyle('red', '✗') : screen.errStyle('yellow', '!')
    screen.err(`${mark} ${toFindingLine(finding)}`)
  }
}
