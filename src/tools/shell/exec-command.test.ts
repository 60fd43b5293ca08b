import { expect, test } from 'vitest'
import { keepArtifacts } from '../../testing/temp-artifacts.ts'
import { startsProcesses } from '../../testing/temp-processes.ts'
import { openTempWorkspace } from '../file/testing/temp-workspace.ts'
import { runTool } from '../../testing/run-tool.ts'
import { execCommand } from './exec-command.ts'

async function exec(
  command: string,
  given: { cwd?: string; timeout?: number; options?: object } = {},
) {
  await using workspace = await openTempWorkspace({ 'src/a.txt': 'hello\n' })
  const artifacts = keepArtifacts()
  const processes = startsProcesses(workspace.folder)
  const { cwd = null, timeout = null, options } = given
  const context = { workspace, processes, artifacts, ...(options && { options: options as never }) }
  const run = await runTool(execCommand, { command, cwd, timeout }, context)
  return { ...run, saved: artifacts.saved }
}

test('a command runs in the workspace', async () => {
  const { output } = await exec('pwd | grep -o src; cat a.txt; echo oops >&2', { cwd: 'src' })
  expect({ ...output, durationMs: 0 }).toEqual({
    stdout: 'src\nhello\n',
    stderr: 'oops\n',
    exitCode: 0,
    signal: null,
    timedOut: false,
    durationMs: 0,
    truncated: false,
    artifact: null,
  })
})

test('an exit code is a result', async () => {
  expect((await exec('echo no; exit 3')).output).toMatchObject({ stdout: 'no\n', exitCode: 3 })
})

test('a command that takes too long is killed, and what it wrote is kept', async () => {
  const { output } = await exec('echo begun; sleep 60', { timeout: 1 })
  expect(output).toMatchObject({
    stdout: 'begun\n',
    exitCode: null,
    signal: 'SIGKILL',
    timedOut: true,
  })
})

test('output is shown while the command runs', async () => {
  const { partials } = await exec('for i in 1 2 3; do echo line $i; sleep 0.4; done')
  expect(partials.length).toBeGreaterThan(1)
  expect(partials[0]).toEqual({ stdout: 'line 1\n', stderr: '' })
})

test('of long output the start and the end are shown, and all of it is kept', async () => {
  const { output, saved } = await exec('echo first; seq 1 100000; echo last; echo warned >&2')
  const { stdout, truncated, artifact } = output
  expect(stdout.startsWith('first\n1\n2\n')).toBe(true)
  expect(stdout.endsWith('100000\nlast\n')).toBe(true)
  expect(stdout).toMatch(/\n… \d+ bytes are left out here …\n/)
  expect(Buffer.byteLength(stdout)).toBeLessThan(41_100)
  expect([truncated, artifact?.mediaType]).toEqual([true, 'text/plain'])
  const whole = Buffer.from(saved[0]!.bytes).toString()
  expect(whole.split('\n').slice(-5)).toEqual(['last', '', '--- stderr ---', 'warned', ''])
  expect(whole).toContain('\n50000\n')
})

test('output beyond what is kept ends with its real end', async () => {
  const { output, saved } = await exec('head -c 12000000 /dev/zero | tr "\\0" x; echo; echo end')
  expect(output.stdout.endsWith('x\nend\n')).toBe(true)
  expect(saved[0]!.bytes.length).toBe(8 * 1_048_576)
})

test('bytes that are not text do not fail the call', async () => {
  expect((await exec("printf 'a\\xff\\x00b'")).output.stdout).toBe('a\ufffd\u0000b')
})

test('an agent may be held to some programs, and then no shell reads the command', async () => {
  const options = { programs: ['cat', 'echo'] }
  expect((await exec("echo 'a; b' \"it's\" c", { options })).output.stdout).toBe("a; b it's c\n")
  for (const command of ['echo a; rm -rf .', 'rm a', '/tmp/x/cat a', 'bash -c ls']) {
    await expect(exec(command, { options })).rejects.toMatchObject({ code: 'denied' })
  }
  expect((await exec('cat src/a.txt', { options: { shell: false } })).output.exitCode).toBe(0)
  await expect(exec('cat *', { options: { shell: false } })).rejects.toMatchObject({
    code: 'denied',
  })
})
