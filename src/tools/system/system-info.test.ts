import { expect, test } from 'vitest'
import { ToolError } from '../../core/kernel/errors.ts'
import type { Processes } from '../../core/kernel/context/processes.ts'
import { startsProcesses } from '../../testing/temp-processes.ts'
import { openTempWorkspace } from '../file/testing/temp-workspace.ts'
import { runTool } from '../../testing/run-tool.ts'
import { systemInfo } from './system-info.ts'

test('time, workspace and programs are reported', async () => {
  await using workspace = await openTempWorkspace({ 'a.txt': 'hello' })
  const processes = startsProcesses(workspace.folder)
  const { output } = await runTool(systemInfo, {}, { workspace, processes })
  expect(Math.abs(Date.parse(output.time) - Date.now())).toBeLessThan(60_000)
  expect(output.workspace).toMatchObject({ mode: 'free', bytes: 5, files: 1 })
  expect(output.sandbox?.platform).toMatch(/^(?:Linux|Darwin) /)
  const names = output.sandbox?.programs.map(({ name }) => name)
  expect(names).toEqual(expect.arrayContaining(['bash', 'git']))
})

test('without a sandbox the rest is reported', async () => {
  await using workspace = await openTempWorkspace()
  const unavailable = () => Promise.reject(new ToolError('sandbox_unavailable', 'No sandbox here'))
  const processes = { run: unavailable } as unknown as Processes
  const { output } = await runTool(systemInfo, {}, { workspace, processes })
  expect(output).toMatchObject({ sandbox: null, workspace: { files: 1 } })
})
