import type { z } from 'zod'
import type { TerminalField, TerminalRecord } from '../../core/operations/command-spec.ts'
import type { processStatus } from './process-schemas.ts'
import type { sandboxState } from './schemas.ts'

/** The sandbox, with every attempt to get out of it. */
export const sandboxFacts: TerminalRecord<z.output<typeof sandboxState>> = {
  title: ({ driver, state }) => `${driver}: ${state}`,
  fields: [
    { title: 'reason', text: ({ reason }) => reason },
    { title: 'fix', text: ({ fix }) => fix },
    { title: 'limits', text: ({ limits }) => limits },
    {
      title: 'checked',
      text: ({ checkedAt, durationMs }, { moment }) => `${moment(checkedAt)}, in ${durationMs} ms`,
    },
  ],
  table: {
    columns: [{ title: 'holds' }, { title: 'check', shrinkTo: 10 }],
    rows: ({ checks }) =>
      checks.map(({ title, isOk, detail }) => [
        isOk ? 'yes' : 'NO',
        detail === undefined ? title : `${title}: ${detail}`,
      ]),
    empty: 'This driver has no checks of its own.',
  },
}

/** Background processes of a workspace. */
export const processColumns: readonly TerminalField<z.output<typeof processStatus>>[] = [
  { title: 'pid', text: ({ pid }) => String(pid), tone: () => 'id' },
  { title: 'state', text: ({ state, exitCode }) => `${state}${toEnd(exitCode)}` },
  { title: 'started', text: ({ startedAt }, { moment }) => moment(startedAt) },
  { title: 'written', text: (process) => String(process.stdoutBytes + process.stderrBytes) },
  { title: 'command', text: ({ command }) => command, shrinkTo: 20 },
]

function toEnd(exitCode: number | undefined): string {
  return exitCode === undefined ? '' : ` (${exitCode})`
}
