import { z } from 'zod'
import { defineTool } from '../../core/define-tool.ts'
import { isToolError } from '../../core/kernel/errors.ts'
import type { Processes } from '../../core/kernel/context/processes.ts'
import type { Workspace } from '../../core/kernel/context/workspace.ts'

/** Reports the programs that agents most often look for before they begin. */
const script = `
printf 'platform\\t%s\\n' "$(uname -sm)"
for program in bash git node npm python3 gcc make; do
  if command -v "$program" > /dev/null; then
    printf '%s\\t%s\\n' "$program" "$("$program" --version 2>&1 | head -n 1)"
  fi
done
`

/** Facts about the surroundings of an agent. Nothing about the server itself. */
export const systemInfo = defineTool({
  name: 'system.info',
  title: 'Facts about the system',
  description:
    'See the current time and time zone, how full the workspace is, and which programs the sandbox has with their versions. Use it once at the beginning of a task that depends on them, and whenever you need to know the time.',
  icon: 'info-circle',
  effect: 'read',
  openWorld: false,
  inputSchema: z.object({}),
  outputSchema: z.object({
    time: z.string().describe('Now, in UTC'),
    timeZone: z.string().describe('The time zone of the server'),
    workspace: z
      .object({
        mode: z.enum(['read-only', 'ask', 'free']).describe('Whether files may be changed'),
        bytes: z.int(),
        files: z.int(),
        maxBytes: z.int(),
        maxFiles: z.int(),
      })
      .nullable(),
    sandbox: z
      .object({
        platform: z.string(),
        programs: z.array(z.object({ name: z.string(), version: z.string() })),
      })
      .nullable()
      .describe('Null if no programs can be run'),
  }),
  examples: [{ label: 'Where am I?', input: {} }],
  sections: [
    { key: 'workspace', label: 'Workspace', type: 'summary' },
    { key: 'sandbox', label: 'Sandbox', type: 'json' },
  ],

  async execute(_input, { workspace, processes }) {
    return {
      time: new Date().toISOString(),
      timeZone: Intl.DateTimeFormat().resolvedOptions().timeZone,
      workspace: await orNull(readWorkspace(workspace)),
      sandbox: await orNull(readSandbox(processes)),
    }
  },
})

/** One part that is not available here must not hide the others. */
async function orNull<T>(part: Promise<T>): Promise<T | null> {
  try {
    return await part
  } catch (error) {
    if (isToolError(error)) return null
    throw error
  }
}

async function readWorkspace(workspace: Workspace) {
  const { bytes, files, maxBytes, maxFiles } = await workspace.usage()
  const { mode } = await workspace.facts()
  return { mode, bytes, files, maxBytes, maxFiles }
}

const maxVersionChars = 100

async function readSandbox(processes: Processes) {
  const { stdout } = await processes.run({
    command: script,
    timeoutMs: 10_000,
    maxOutputBytes: 16_384,
  })
  const facts = new TextDecoder().decode(stdout).split('\n').flatMap(toFact)
  return {
    platform: facts.find(({ name }) => name === 'platform')?.version ?? 'unknown',
    programs: facts.filter(({ name }) => name !== 'platform'),
  }
}

function toFact(line: string): { name: string; version: string }[] {
  const [name = '', version] = line.split('\t')
  return version === undefined ? [] : [{ name, version: version.slice(0, maxVersionChars) }]
}
