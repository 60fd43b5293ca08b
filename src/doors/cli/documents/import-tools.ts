import { relative } from 'node:path'
import type { PublishedAnswer } from '../../../features/authoring/schemas.ts'
import type { CommandContext } from '../command.ts'
import { exit } from '../exit-codes.ts'
import { counted } from '../output/counted.ts'
import { toSafeLine } from '../output/safe-text.ts'
import { showTable } from '../output/table.ts'
import { usageError } from '../parse-options.ts'
import { planImport, publishPlanned, type PlannedTool } from './plan-import.ts'
import { readDocuments } from './read-files.ts'
import { hasErrors, showFindings } from './show-findings.ts'

/** `toolcrib tools import`: shows what files would change, and with `--apply` publishes them. */
export async function importTools(context: CommandContext): Promise<number> {
  const { options, words } = context
  const isApplied = options.flag('apply')
  if (isApplied && options.flag('dry-run')) throw usageError('Give --apply or --dry-run.')
  const [, ...paths] = words
  if (paths.length === 0)
    throw usageError('Name the files or a folder: toolcrib tools import tools')
  return bringIn(context, paths, isApplied)
}

/** Nothing is published if any file has errors. */
export async function bringIn(
  context: CommandContext,
  paths: readonly string[],
  isApplied: boolean,
): Promise<number> {
  const { connect, options } = context
  const documents = await readDocuments(context, paths)
  const { client } = await connect()
  const plan = await planImport(client, documents)
  const isRefused = plan.some(({ findings }) => hasErrors(findings))
  const published: PublishedAnswer[] = []
  for (const planned of isApplied && !isRefused ? plan : []) {
    if (planned.change === 'same') continue
    published.push(await publishPlanned(client, planned, options.text('note')))
  }
  showPlan(context, { plan, published, isApplied: isApplied && !isRefused })
  return isRefused ? exit.failed : exit.ok
}

interface Shown {
  plan: readonly PlannedTool[]
  published: readonly PublishedAnswer[]
  isApplied: boolean
}

function showPlan({ screen, environment }: CommandContext, shown: Shown): void {
  const { plan, published, isApplied } = shown
  const items = plan.map(({ document: _document, ...item }) => item)
  if (screen.isJson) return screen.json({ plan: items, isApplied, published })
  showTable(screen, {
    columns: [{ title: 'tool' }, { title: 'change' }, { title: 'file', shrinkTo: 12 }],
    rows: items.map(({ name, change, file }) =>
      [name, change, relative(environment.cwd, file) || file].map(toSafeLine),
    ),
  })
  for (const { name, findings, replacesDraft } of items) {
    if (findings.length > 0 || replacesDraft) screen.err(screen.errStyle('bold', toSafeLine(name)))
    showFindings(screen, findings)
    if (replacesDraft && !isApplied) screen.err('! Publishing it replaces your draft of it.')
  }
  screen.out(toSummary(shown))
}

function toSummary({ plan, isApplied, published }: Shown): string {
  const changes = plan.filter(({ change }) => change === 'new' || change === 'changed').length
  const wrong = plan.filter(({ findings }) => hasErrors(findings)).length
  if (wrong > 0) return `Nothing is published: ${counted(wrong, 'file')} with errors.`
  if (changes === 0) return 'Nothing to publish.'
  if (isApplied) return `Published ${counted(published.length, 'tool')}.`
  return 'Nothing is published yet. Add --apply to publish them.'
}
