import { relative } from 'node:path'
import type { Command, CommandContext } from '../../command.ts'
import type { CheckFinding, CheckReport } from '../../environment.ts'
import { exit } from '../../exit-codes.ts'
import { counted } from '../../output/counted.ts'
import { toSafeLine } from '../../output/safe-text.ts'
import type { Screen } from '../../output/screen.ts'
import { resolveFolders } from './tool-folders.ts'

/** `toolcrib check`: loads and lints every tool, opens no store, runs no tool. */
export const checkCommand: Command = {
  summary: 'Check all tools: names, schemas, examples, descriptions, portability.',
  usage: ['check [DIR…] [--strict]'],
  options: { strict: { type: 'boolean', summary: 'warnings count as errors' } },
  maxWords: Infinity,
  notes: ['The exit code is 1 when there are errors.'],
  async run(context) {
    const { environment, server, screen, options } = context
    const report = await environment.check({
      ...server,
      tools: resolveFolders(context),
    })
    const counts = countFindings(report)
    if (screen.isJson) screen.json({ ...report, ...counts })
    else showReport(context, report, counts)
    const fails = counts.errors > 0 || (options.flag('strict') && counts.warnings > 0)
    return fails ? exit.failed : exit.ok
  },
}

interface Counts {
  errors: number
  warnings: number
}

function countFindings({ findings }: CheckReport): Counts {
  const errors = findings.filter(({ severity }) => severity === 'error').length
  return { errors, warnings: findings.length - errors }
}

function showReport(
  { screen, environment }: CommandContext,
  report: CheckReport,
  counts: Counts,
): void {
  for (const [file, findings] of Object.entries(
    Object.groupBy(report.findings, ({ file }) => file),
  )) {
    screen.out(screen.style('bold', toSafeLine(relative(environment.cwd, file) || file)))
    for (const finding of findings ?? []) showFinding(screen, finding)
    screen.out('')
  }
  const what = `${counted(report.tools, 'tool')} in ${counted(report.files, 'file')}`
  if (report.findings.length === 0) {
    screen.out(`${screen.style('green', '✓')} ${what}, nothing to mend`)
    return
  }
  const mark = counts.errors > 0 ? screen.style('red', '✗') : screen.style('yellow', '!')
  screen.out(
    `${mark} ${what}: ${counted(counts.errors, 'error')}, ${counted(counts.warnings, 'warning')}`,
  )
}

function showFinding(screen: Screen, finding: CheckFinding): void {
  const mark = finding.severity === 'error' ? screen.style('red', '✗') : screen.style('yellow', '!')
  const place = finding.line === undefined ? '' : `${finding.line}:${finding.column ?? 1} `
  const where = [finding.tool, finding.path].filter((part) => part !== undefined && part !== '')
  const at = where.length === 0 ? '' : `${screen.style('cyan', toSafeLine(where.join(' ')))} `
  const rule = screen.style('dim', `(${finding.rule})`)
  screen.out(`  ${mark} ${place}${at}${toSafeLine(finding.message)} ${rule}`)
  if (finding.fix !== undefined) screen.out(`    → ${toSafeLine(finding.fix)}`)
}
