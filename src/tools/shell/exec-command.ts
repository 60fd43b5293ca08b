import { z } from 'zod'
import { defineTool } from '../../core/define-tool.ts'
import type { CallArtifacts } from '../../core/kernel/context/call-artifacts.ts'
import { artifactField } from '../artifact-field.ts'
import { decidePrograms } from '../../core/sandbox/decide-programs.ts'
import { commandOptions } from './command/command-options.ts'
import type { WatchedOutput } from './command/watch-run.ts'

const longestSeconds = 600
const usualSeconds = 120
/** Of each stream; the artifact holds it. */
const maxOutputBytes = 8 * 1_048_576

/** Runs a command in the sandbox and waits for its end. */
export const execCommand = defineTool({
  name: 'shell.exec',
  title: 'Run a command',
  aliases: ['run_command', 'run_shell_command', 'exec_command'],
  description:
    'Run a command in the sandbox and wait until it ends: build, test, convert, inspect. It sees the files of the workspace and nothing else of the machine; the network only where rules allow it. An exit code other than 0 is a result to read, not an error. All its processes end with it: for a server or a watcher use process.start. To read and change files, prefer the file tools.',
  icon: 'terminal-2',
  effect: 'destructive',
  openWorld: true,
  timeoutMs: (longestSeconds + 30) * 1000,
  maxOutputBytes: 131_072,
  // A command may send what it reads to any host that the rules allow, and prints what others wrote.
  labels: { reads: ['untrusted'], effects: 'external' },
  optionsSchema: commandOptions,
  inputSchema: z.object({
    command: z.string().min(1).max(65_536).describe('The command line, for bash'),
    cwd: z
      .string()
      .min(1)
      .max(4096)
      .nullable()
      .describe('The folder to run it in, relative to the workspace; null for its root'),
    timeout: z
      .int()
      .min(1)
      .nullable()
      .describe(`Seconds until it is killed (${usualSeconds}; at most ${longestSeconds})`),
  }),
  outputSchema: z.object({
    stdout: z.string(),
    stderr: z.string(),
    exitCode: z.int().min(0).nullable().describe('Null if a signal ended it'),
    signal: z.string().min(1).nullable(),
    timedOut: z.boolean(),
    durationMs: z.number(),
    truncated: z.boolean().describe('The middle of the output is left out'),
    artifact: artifactField,
  }),
  examples: [
    { label: 'Run the tests', input: { command: 'npm test', cwd: null, timeout: 300 } },
    { label: 'Count lines', input: { command: 'wc -l src/*.ts', cwd: null, timeout: null } },
  ],
  sections: [{ key: 'stdout', label: 'Output', type: 'terminal' }],

  async *execute({ command, cwd, timeout }, { processes, artifacts, options }) {
    const { watchRun } = await import('./command/watch-run.ts')
    const result = yield* watchRun(processes, {
      command: decidePrograms(command, options),
      ...(cwd !== null && { cwd }),
      timeoutMs: Math.min(timeout ?? usualSeconds, longestSeconds) * 1000,
      maxOutputBytes,
    })
    const { output } = result
    const truncated = output.stdout.isCut || output.stderr.isCut
    return {
      stdout: output.stdout.text(),
      stderr: output.stderr.text(),
      exitCode: result.exitCode ?? null,
      signal: result.signal ?? null,
      timedOut: result.timedOut,
      durationMs: Math.round(result.durationMs),
      truncated,
      artifact: truncated ? await saveOutput(artifacts, result) : null,
    }
  },
})

interface Streams {
  stdout: Uint8Array
  stderr: Uint8Array
  output: WatchedOutput
}

/** Both streams in one file, each whole up to its limit. */
async function saveOutput(artifacts: CallArtifacts, { stdout, stderr, output }: Streams) {
  const isStderrEmpty = output.stderr.total === 0
  const bytes = isStderrEmpty
    ? stdout
    : Buffer.concat([stdout, Buffer.from('\n--- stderr ---\n'), stderr])
  const file = { name: 'output.txt', mediaType: 'text/plain', bytes }
  const { id, bytes: size, mediaType } = await artifacts.save(file)
  return { id, bytes: size, mediaType }
}
