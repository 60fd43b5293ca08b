import { stat } from 'node:fs/promises'
import { resolve } from 'node:path'
import { isCanonicalName } from '../../../core/kernel/names.ts'
import type { PublishedAnswer } from '../../../features/authoring/schemas.ts'
import type { CommandContext } from '../command.ts'
import { exit } from '../exit-codes.ts'
import { toSafeLine } from '../output/safe-text.ts'
import { usageError } from '../parse-options.ts'
import { bringIn } from './import-tools.ts'
import { placeFindings, showFindings } from './show-findings.ts'
import { toolPath } from './tool-source.ts'

/** `toolcrib tools publish`: your draft of a tool, or files. */
export async function publishTools(context: CommandContext): Promise<number> {
  const [, ...words] = context.words
  if (words.length === 0) throw usageError('Name a tool with a draft, or files: refund.tool.yaml')
  const [name = ''] = words
  const found = await stat(resolve(context.environment.cwd, name)).catch(() => undefined)
  // A misspelled file could be the name of a tool, too.
  const isFile = found !== undefined || /\.(?:ya?ml|json)$/.test(name)
  if (words.length > 1 || isFile || !isCanonicalName(name)) {
    return bringIn(context, words, true)
  }
  return publishDraft(context, name)
}

async function publishDraft(context: CommandContext, name: string): Promise<number> {
  const { connect, options, screen } = context
  const { client } = await connect()
  const note = options.text('note')
  const body = note === undefined ? {} : { note }
  const path = `${toolPath(name)}/publish`
  const published = await client.read<PublishedAnswer>(path, { method: 'POST', body })
  if (screen.isJson) {
    screen.json(published)
    return exit.ok
  }
  const { version, findings, sight } = published
  showFindings(
    screen,
    placeFindings(findings, () => undefined),
  )
  screen.out(
    `${screen.style('green', '✓')} Published ${toSafeLine(name)}, version ${version.number} (${version.hash})`,
  )
  if (sight !== undefined) {
    const { agents, sees, asks } = sight
    screen.out(`  ${sees.length} of ${agents} agents can call it; ${asks.length} must ask first`)
  }
  return exit.ok
}
