import { statSync } from 'node:fs'
import path from 'node:path'

export interface StartedAs {
  file: string
  args: readonly string[]
  /** The arguments are one line for cmd.exe, quoted already. */
  isVerbatim: boolean
}

type Env = Readonly<Record<string, string | undefined>>

/**
 * How a command is started on Windows. `npx`, `uvx` and most others are batch files there, which
 * only cmd.exe can start, and Node starts none without a shell. Other programs are started
 * directly.
 */
export function toWindowsCommand(
  { command, args, env }: { command: string; args: readonly string[]; env: Env },
  isFile: (file: string) => boolean = isPlainFile,
): StartedAs {
  const found = findProgram(command, env, isFile)
  if (found === undefined || !/\.(?:cmd|bat)$/i.test(found)) {
    return { file: found ?? command, args, isVerbatim: false }
  }
  const line = [quoteForCmd(found), ...args.map((arg) => quoteForCmd(quoteForProgram(arg)))]
  const shell = lookUp(env, 'ComSpec') ?? 'cmd.exe'
  // /d runs no AutoRun commands, /s takes the line between the outer quotes as it is.
  return { file: shell, args: ['/d', '/s', '/c', `"${line.join(' ')}"`], isVerbatim: true }
}

/** As cmd.exe looks: with each ending of PATHEXT, in the folders of PATH, unless a folder is given. */
function findProgram(
  command: string,
  env: Env,
  isFile: (file: string) => boolean,
): string | undefined {
  const endings = (lookUp(env, 'PATHEXT') ?? '.COM;.EXE;.BAT;.CMD').split(';')
  const names = path.win32.extname(command) === '' ? endings.map((end) => command + end) : [command]
  const isPlaced = /[\\/:]/.test(command)
  const folders = isPlaced ? [''] : (lookUp(env, 'PATH') ?? '').split(';').filter(Boolean)
  for (const folder of folders) {
    const file = names.map((name) => path.win32.join(folder, name)).find(isFile)
    if (file !== undefined) return file
  }
  return undefined
}

/** As the program itself reads its line: backslashes before a quote are doubled. */
function quoteForProgram(arg: string): string {
  const inner = arg.replaceAll(/(\\*)"/g, '$1$1\\"').replace(/(\\*)$/, '$1$1')
  return `"${inner}"`
}

/**
 * Everything that means something to cmd.exe is escaped, twice: a batch file hands its arguments to
 * the program it starts through cmd.exe once more.
 */
function quoteForCmd(text: string): string {
  const escape = (word: string) => word.replaceAll(/[()\][%!^"`<>&|;, *?]/g, '^$&')
  return text.startsWith('"') ? escape(escape(text)) : escape(text)
}

/** Names of variables have no case there. */
function lookUp(env: Env, name: string): string | undefined {
  const key = Object.keys(env).find((known) => known.toLowerCase() === name.toLowerCase())
  return key === undefined ? undefined : env[key]
}

function isPlainFile(file: string): boolean {
  return statSync(file, { throwIfNoEntry: false })?.isFile() === true
}
