import type { Command } from '../command.ts'
import type { DoctorFinding } from '../environment.ts'
import { exit } from '../exit-codes.ts'
import { toSafeLine, toSafeText } from '../output/safe-text.ts'
import type { Screen } from '../output/screen.ts'

/** `toolcrib doctor`: checks the installation and suggests fixes. */
export const doctorCommand: Command = {
  summary: 'Check the installation and suggest fixes.',
  usage: ['doctor'],
  options: {},
  maxWords: 0,
  notes: ['The exit code is 1 if Toolcrib cannot work (✗).'],
  async run({ environment, server, screen }) {
    const findings = await environment.doctor(server)
    if (screen.isJson) screen.json({ findings })
    else for (const finding of findings) showFinding(screen, finding)
    return findings.some(({ level }) => level === 'error') ? exit.failed : exit.ok
  },
}

const marks = {
  ok: { format: 'green', sign: '✓' },
  warning: { format: 'yellow', sign: '!' },
  error: { format: 'red', sign: '✗' },
} as const

function showFinding(screen: Screen, { name, level, message, fix }: DoctorFinding): void {
  const mark = screen.style(marks[level].format, marks[level].sign)
  screen.out(`${mark} ${screen.style('bold', toSafeLine(name))} ${toSafeLine(message)}`)
  if (fix !== undefined && level !== 'ok') {
    for (const line of toSafeText(fix).split('\n')) screen.out(`  → ${line}`)
  }
}
