import { readFile } from 'node:fs/promises'
import { resolve } from 'node:path'
import { text } from 'node:stream/consumers'
import { ToolError } from '../../../core/kernel/errors.ts'
import type { JsonValue } from '../../../core/kernel/tool.ts'
import type { CliEnvironment } from '../environment.ts'

/** The value of `--input`: JSON text, `@file` or `-` for stdin. */
export async function readInput(
  given: string | undefined,
  environment: Pick<CliEnvironment, 'cwd' | 'stdin'>,
): Promise<JsonValue | undefined> {
  if (given === undefined) return undefined
  if (given === '-') return parseInput(await text(environment.stdin), 'What came on stdin')
  if (given.startsWith('@')) {
    const file = resolve(environment.cwd, given.slice(1))
    return parseInput(await readText(file), file)
  }
  return parseInput(given, 'The value of --input')
}

async function readText(file: string): Promise<string> {
  try {
    return await readFile(file, 'utf8')
  } catch (error) {
    throw new ToolError(
      'invalid_request',
      `${file} could not be read (${(error as NodeJS.ErrnoException).code}).`,
      {
        fix: 'Check the path after @.',
        cause: error,
      },
    )
  }
}

function parseInput(json: string, what: string): JsonValue {
  try {
    // Editors on Windows begin a file with a byte order mark.
    return JSON.parse(json.replace(/^\uFEFF/, '')) as JsonValue
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    throw new ToolError('invalid_input', `${what} is not JSON: ${reason}`, {
      fix: `Write it like --input '{"name":"value"}', --input @file.json or --input - for stdin.`,
    })
  }
}
