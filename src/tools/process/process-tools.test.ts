import { expect, test } from 'vitest'
import { startsProcesses } from '../../testing/temp-processes.ts'
import { openTempWorkspace } from '../file/testing/temp-workspace.ts'
import { runTool } from '../../testing/run-tool.ts'
import { killProcess } from './kill-process.ts'
import { processOutput } from './process-output.ts'
import { processStatus } from './process-status.ts'
import { startProcess } from './start-process.ts'
import { writeProcess } from './write-process.ts'

test('a process is started, read, written to, and ended', async () => {
  await using workspace = await openTempWorkspace()
  const given = { processes: startsProcesses(workspace.folder) }
  const command = 'echo ready; while read line; do echo "got $line"; done'
  const { output: started } = await runTool(startProcess, { command, cwd: null }, given)
  expect(started).toMatchObject({ pid: 1, command, state: 'running', exitCode: null })
  const page = { pid: 1, stream: 'stdout' as const, maxBytes: null }
  const read = async (offset: number | null) =>
    (await runTool(processOutput, { ...page, offset }, given)).output
  await expect.poll(() => read(null)).toMatchObject({ text: 'ready\n', next: 6, isEnd: false })
  const { output: written } = await runTool(writeProcess, { pid: 1, text: 'one\n' }, given)
  expect(written).toEqual({ pid: 1, bytes: 4 })
  await expect.poll(() => read(6)).toMatchObject({ text: 'got one\n' })
  const { output: killed } = await runTool(killProcess, { pid: 1, signal: null }, given)
  expect(killed).toMatchObject({ state: 'killed', signal: 'SIGTERM' })
  const { output: all } = await runTool(processStatus, { pid: null }, given)
  expect(all.processes).toEqual([killed])
  expect(await read(14)).toEqual({ text: '', next: 14, dropped: 0, isEnd: true })
  await expect(runTool(processStatus, { pid: 2 }, given)).rejects.toMatchObject({
    code: 'not_found',
  })
})

test('an agent held to some programs starts no other', async () => {
  await using workspace = await openTempWorkspace()
  const given = { processes: startsProcesses(workspace.folder), options: { programs: ['node'] } }
  await expect(
    runTool(startProcess, { command: 'sleep 5', cwd: null }, given),
  ).rejects.toMatchObject({ code: 'denied' })
})
