import type { JsonSchema } from '../../../../core/kernel/json.ts'
import { isRecord } from '../../../../core/kernel/json/json-type.ts'
import { printType } from '../../../../core/schema/print-type.ts'
import { flagsOf } from '../../call/describe-flags.ts'
import { toCallCommand } from '../../call/to-call-command.ts'
import type { ToolDetail } from '../../../../core/tools/tool-listing.ts'
import { readTool } from '../../client/read-tool.ts'
import type { CommandContext } from '../../command.ts'
import { exit } from '../../exit-codes.ts'
import { showSection } from '../../command-help.ts'
import { toSafeLine, toSafeText } from '../../output/safe-text.ts'
import type { Screen } from '../../output/screen.ts'
import { showTable } from '../../output/table.ts'
import { effectFormats, stateFormats } from '../../output/tool-formats.ts'

/** Everything about one tool: purpose, input, output, requirements and state. */
export async function showTool(context: CommandContext, name: string): Promise<number> {
  const { screen, options, connect } = context
  const { client } = await connect()
  const tool = await readTool(client, name, options.text('agent'))
  if (screen.isJson) {
    screen.json(tool)
    return exit.ok
  }
  showHead(screen, tool)
  showFields(screen, 'Input', tool.inputSchema)
  if (tool.outputSchema !== undefined) showOutput(screen, tool.outputSchema)
  if (tool.examples.length > 0) {
    showSection(
      screen,
      'Examples',
      tool.examples.flatMap(({ label, input }) => [
        `# ${toSafeLine(label)}`,
        toSafeText(toCallCommand(tool.name, tool.inputSchema, input)),
      ]),
    )
  }
  showNeeds(screen, tool)
  showFindings(screen, tool)
  return exit.ok
}

function showHead(screen: Screen, tool: ToolDetail): void {
  const { style } = screen
  screen.out(`${style('bold', toSafeLine(tool.name))}  ${toSafeLine(tool.title)}`)
  const facts = [
    style(effectFormats[tool.effect], tool.effect),
    tool.idempotent ? 'idempotent' : '',
    tool.execution === 'inline' ? '' : tool.execution,
    tool.isolation === 'worker' ? 'runs in a worker' : '',
    tool.approval === 'always' ? 'needs approval' : '',
    `${tool.source} in pack ${toSafeLine(tool.pack)}`,
    `at most ${tool.timeoutMs / 1000} s`,
  ]
  screen.out(facts.filter((fact) => fact !== '').join(' · '))
  screen.out(`state ${style(stateFormats[tool.state], tool.state)}`)
  if (tool.reason !== undefined) screen.out(`→ ${toSafeLine(tool.reason)}`)
  showSection(screen, 'Description', toSafeText(tool.description).split('\n'))
}

function showFields(screen: Screen, title: string, schema: ToolDetail['inputSchema']): void {
  const fields = flagsOf(schema)
  screen.out('')
  screen.out(screen.style('bold', title))
  if (fields.length === 0) {
    screen.out('  no fields')
    return
  }
  showTable(screen, {
    columns: [
      { title: 'field', shrinkTo: 12, style: (cell) => screen.style('cyan', cell) },
      { title: 'type', shrinkTo: 10 },
      { title: 'needed' },
      { title: 'description', shrinkTo: 12 },
    ],
    rows: fields.map(({ key, type, isRequired, defaultText, description }) => [
      toSafeLine(key),
      toSafeLine(type),
      isRequired ? 'yes' : 'no',
      toSafeLine(
        defaultText === undefined ? description : `${description} (${defaultText})`.trim(),
      ),
    ]),
    indent: 2,
  })
}

/** Fields of an object; anything else, such as a text or a list, as its type. */
function showOutput(screen: Screen, schema: JsonSchema): void {
  if (isRecord(schema['properties'])) showFields(screen, 'Output', schema)
  else showSection(screen, 'Output', toSafeText(printType(schema)).split('\n'))
}

function showNeeds(screen: Screen, tool: ToolDetail): void {
  const secrets = tool.secrets.map(({ key, label, optional }) => {
    const kind = optional ? 'secret, optional' : 'secret'
    return toSafeLine(`${key} (${kind}): ${label}. toolcrib secrets set ${key}`)
  })
  const env = tool.env.map((name) => toSafeLine(`${name} (environment variable)`))
  const permission =
    tool.permission === undefined ? [] : [toSafeLine(`permission ${tool.permission}`)]
  const needs = [...secrets, ...env, ...permission]
  if (needs.length > 0) showSection(screen, 'Needs', needs)
}

function showFindings(screen: Screen, tool: ToolDetail): void {
  const portability = tool.portability.map(({ provider, severity, path, message }) =>
    toSafeLine(`${provider} ${severity} ${path}: ${message}`),
  )
  if (portability.length > 0) showSection(screen, 'Portability', portability)
  if (tool.warnings.length > 0) showSection(screen, 'Warnings', tool.warnings.map(toSafeLine))
}
