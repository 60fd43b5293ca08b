import { Readable } from 'node:stream'
import { expect, test } from 'vitest'
import { createFakeApi } from '../../testing/fake-api.ts'
import { runLine } from '../../testing/run-line.ts'

test.each([true, false])('mcp on a terminal (%s) explains itself', async (isTTY) => {
  const stdin = Object.assign(Readable.from([]), { isTTY })
  const { code, out, err } = await runLine(['mcp'], { ...createFakeApi({}), more: { stdin } })
  expect([code, out]).toEqual([0, ''])
  expect(err.includes('This speaks MCP on stdin and stdout')).toBe(isTTY)
  expect(err.includes('toolcrib mcp config <client>')).toBe(isTTY)
})
