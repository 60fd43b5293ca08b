import { createInterface } from 'node:readline'
import { Writable } from 'node:stream'
import { text } from 'node:stream/consumers'
import { ToolError } from '../../../../core/kernel/errors.ts'
import type { CommandContext } from '../../command.ts'
import { toSafeLine } from '../../output/safe-text.ts'
import { usageError } from '../../parse-options.ts'

/** The value of a secret: from a variable, from stdin, or typed without being shown. */
export async function readSecretValue(context: CommandContext, name: string): Promise<string> {
  const { environment, options, screen } = context
  const variable = options.text('from-env')
  if (variable !== undefined) {
    const value = environment.env[variable]
    if (value) return value
    throw usageError(`${variable} is not set in the environment.`, `export ${variable}=… first.`)
  }
  const given = options.text('value')
  if (given !== undefined) {
    screen.err(
      '! A value on the command line can be seen by others and stays in the shell history.',
    )
    return given
  }
  if ((environment.stdin as { isTTY?: boolean }).isTTY === true) {
    return promptHidden(context, `Value of ${toSafeLine(name)}: `)
  }
  // An editor or echo adds one line end; anything more is part of the value.
  return (await text(environment.stdin)).replace(/\r?\n$/, '')
}

/** readline echoes typed text to its output, which is discarded here. */
function promptHidden({ environment, screen }: CommandContext, prompt: string): Promise<string> {
  const nowhere = new Writable({ write: (_chunk, _encoding, done) => done() })
  const reader = createInterface({ input: environment.stdin, output: nowhere, terminal: true })
  screen.draw(prompt)
  return new Promise((resolve, reject) => {
    reader.once('line', (line) => {
      resolve(line)
      reader.close()
    })
    reader.once('SIGINT', () => reader.close())
    reader.once('close', () => {
      screen.draw('\n')
      // Has no effect after a line; before one, the person gave up.
      reject(new ToolError('cancelled', 'No value was given.', { fix: 'Nothing was changed.' }))
    })
  })
}
