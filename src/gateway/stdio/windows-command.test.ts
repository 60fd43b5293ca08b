import { expect, test } from 'vitest'
import { toWindowsCommand } from './windows-command.ts'

const env = { Path: 'C:\\Windows;C:\\Program Files\\nodejs', ComSpec: 'C:\\Windows\\cmd.exe' }
const files = new Set([
  'C:\\Program Files\\nodejs\\npx.CMD',
  'C:\\Program Files\\nodejs\\node.EXE',
  'D:\\tools\\run.bat',
])
const start = (command: string, ...args: string[]) =>
  toWindowsCommand({ command, args, env }, (file) => files.has(file))

test('a batch file is found on the path and started by cmd.exe', () => {
  expect(start('npx', '-y', 'server')).toEqual({
    file: 'C:\\Windows\\cmd.exe',
    args: ['/d', '/s', '/c', '"C:\\Program^ Files\\nodejs\\npx.CMD ^^^"-y^^^" ^^^"server^^^""'],
    isVerbatim: true,
  })
  expect(start('D:\\tools\\run.bat')).toMatchObject({
    args: ['/d', '/s', '/c', '"D:\\tools\\run.bat"'],
  })
})

test('an argument can not begin another command or name a variable', () => {
  const { args } = start('npx', 'a & calc', '%PATH%', 'say "hi"', 'end\\')
  expect(args.at(-1)).toBe(
    '"C:\\Program^ Files\\nodejs\\npx.CMD ^^^"a^^^ ^^^&^^^ calc^^^" ^^^"^^^%PATH^^^%^^^" ^^^"say^^^ \\^^^"hi\\^^^"^^^" ^^^"end\\\\^^^""',
  )
})

test('a program is started as it is, and so is one that is not found', () => {
  expect(start('node', 'x y')).toEqual({
    file: 'C:\\Program Files\\nodejs\\node.EXE',
    args: ['x y'],
    isVerbatim: false,
  })
  expect(start('nowhere')).toEqual({ file: 'nowhere', args: [], isVerbatim: false })
})
