import { stat } from 'node:fs/promises'
import { resolve } from 'node:path'
import { answersAsCrib, fetchOf } from '../client/find-server.ts'
import type { CliEnvironment } from '../environment.ts'
import type { ValueMap } from '../parse-options.ts'
import { connectionOptions } from './call-options.ts'

type ConnectionOption = (typeof connectionOptions)[number]

/**
 * Connection options after the tool's name. Only the tool's schema shows whether `--url` there is
 * our option or an input, and only the server knows the schema. So an option counts as ours only if
 * nothing else is likely: a folder or file must exist, a database must be a database URL, and a
 * server must be on this machine and answer as a Toolcrib server, so that a key is never sent to an
 * address that was meant for the tool.
 */
export async function findConnectionHints(
  args: readonly string[],
  environment: CliEnvironment,
): Promise<ValueMap> {
  const hints: ValueMap = new Map()
  const end = args.indexOf('--')
  const words = end === -1 ? args : args.slice(0, end)
  for (const name of connectionOptions) {
    for (const value of valuesOf(words, name)) {
      if (await isLikely(name, value, environment))
        hints.set(name, [...(hints.get(name) ?? []), value])
    }
  }
  return hints
}

function valuesOf(words: readonly string[], name: string): string[] {
  return words.flatMap((word, index) => {
    if (word.startsWith(`--${name}=`)) return [word.slice(name.length + 3)]
    const next = words[index + 1]
    return word === `--${name}` && next !== undefined ? [next] : []
  })
}

async function isLikely(
  name: ConnectionOption,
  value: string,
  environment: CliEnvironment,
): Promise<boolean> {
  if (name === 'database') return /^postgres(ql)?:\/\//.test(value)
  if (name === 'url') return isLocalCrib(value, environment)
  const found = await stat(resolve(environment.cwd, value)).catch(() => undefined)
  return name === 'config' ? found?.isFile() === true : found?.isDirectory() === true
}

const hintAnswerMs = 2_000

async function isLocalCrib(value: string, environment: CliEnvironment): Promise<boolean> {
  const url = URL.canParse(value) ? new URL(value) : undefined
  if (url === undefined || url.pathname !== '/' || url.search !== '') return false
  const isLocal = ['localhost', '127.0.0.1', '[::1]'].includes(url.hostname)
  return isLocal && (await answersAsCrib(fetchOf(environment), value, hintAnswerMs))
}
