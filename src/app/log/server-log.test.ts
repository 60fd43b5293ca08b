import { expect, test } from 'vitest'
import { findLogSettings } from './log-settings.ts'
import { createServerLog } from './server-log.ts'

const at = new Date('2026-03-01T12:00:00.000Z')

function write(settings: Parameters<typeof createServerLog>[1]) {
  const lines: string[] = []
  return {
    lines,
    log: createServerLog(
      (line) => lines.push(line),
      settings,
      () => at,
    ),
  }
}

test('an entry has its time and level, as text and as JSON', () => {
  const text = write({ format: 'text', level: 'info', access: false })
  text.log.warn('The disk is slow', { requestId: 'req_1', path: '/a b', ms: 3 })
  text.log.error('A request failed', { stack: 'Error: x\n  at y' })
  expect(text.lines).toEqual([
    '2026-03-01T12:00:00.000Z warn  The disk is slow requestId=req_1 path="/a b" ms=3\n',
    '2026-03-01T12:00:00.000Z error A request failed\nError: x\n  at y\n',
  ])
  const json = write({ format: 'json', level: 'info', access: false })
  json.log.error('A request failed', { requestId: 'req_1', stack: 'Error: x\n  at y' })
  expect(json.lines.map((line) => JSON.parse(line) as unknown)).toEqual([
    {
      time: '2026-03-01T12:00:00.000Z',
      level: 'error',
      message: 'A request failed',
      requestId: 'req_1',
      stack: 'Error: x\n  at y',
    },
  ])
})

test('entries below the level are left out', () => {
  const { lines, log } = write({ format: 'text', level: 'warn', access: false })
  log.info('Listening')
  expect(lines).toEqual([])
  log.configure({ format: 'text', level: 'info', access: false })
  log.info('Listening')
  expect(lines).toHaveLength(1)
})

test('the command line wins over TOOLCRIB_LOG, which wins over the configuration', () => {
  const configured = { format: 'text', level: 'error', access: false } as const
  const env = { TOOLCRIB_LOG: 'json, access' }
  expect(findLogSettings({ env, configured, options: { level: 'debug' } })).toEqual({
    format: 'json',
    level: 'debug',
    access: true,
  })
  expect(() => findLogSettings({ env: { TOOLCRIB_LOG: 'loud' } })).toThrow(/does not know loud/)
})
