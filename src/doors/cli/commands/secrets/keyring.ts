import { readFile } from 'node:fs/promises'
import { resolve } from 'node:path'
import { ToolError } from '../../../../core/kernel/errors.ts'
import type { RotationStep } from '../../../../core/secrets/keyring.ts'
import type { Connection } from '../../client/find-server.ts'
import type { CommandContext } from '../../command.ts'
import { exit } from '../../exit-codes.ts'
import type { ByHand } from '../../operations/to-command.ts'
import { counted } from '../../output/counted.ts'
import { toSafeLine } from '../../output/safe-text.ts'
import type { Screen } from '../../output/screen.ts'
import { usageError } from '../../parse-options.ts'

/** The verbs of `toolcrib keyring` that are not plain operations. */
export const keyringByHand: ByHand = {
  actions: {
    rotate: {
      usage: ['keyring rotate [--key-file FILE | --key-env VAR]'],
      options: {
        'key-file': {
          type: 'string',
          value: 'FILE',
          summary: 'rotate to the key in this file: 32 bytes in base64 or hex',
        },
        'key-env': {
          type: 'string',
          value: 'VAR',
          summary: 'rotate to the key in this environment variable',
        },
      },
      maxWords: 0,
      run: rotate,
    },
    drop: { usage: ['keyring drop <id>'], run: drop },
  },
}

async function rotate(context: CommandContext): Promise<number> {
  const { connect, screen } = context
  const key = await readGivenKey(context)
  const connection = await connect()
  if (key !== undefined) assertPrivate(connection)
  const send = (body: object) =>
    connection.client.read<RotationStep>('/keyring/rotate', { method: 'POST', body })
  const first = await send(key === undefined ? {} : { key })
  const moved = { ...first.moved }
  let step = first
  while (!step.isDone) {
    showProgress(screen, { ...step, moved })
    step = await send({ resume: true })
    moved.secrets += step.moved.secrets
    moved.inputs += step.moved.inputs
  }
  showRotated(screen, { ...step, moved, hasBegun: first.hasBegun })
  return step.left.secrets + step.left.inputs === 0 ? exit.ok : exit.failed
}

async function readGivenKey({ environment, options }: CommandContext): Promise<string | undefined> {
  const file = options.text('key-file')
  const variable = options.text('key-env')
  if (file !== undefined && variable !== undefined) {
    throw usageError('--key-file and --key-env are both given.', 'Omit one of them.')
  }
  if (variable !== undefined) {
    const value = environment.env[variable]?.trim()
    if (value) return value
    throw usageError(`${variable} is not set in the environment.`, `export ${variable}=… first.`)
  }
  if (file === undefined) return undefined
  const text = await readFile(resolve(environment.cwd, file), 'utf8').catch(
    (error: NodeJS.ErrnoException) => {
      throw new ToolError('not_found', `${file} can't be read: ${error.code ?? error.message}`)
    },
  )
  return text.trim()
}

/** A master key opens everything, so it is not sent over connections that others can read. */
function assertPrivate({ client, kind }: Connection): void {
  const { protocol, hostname } = new URL(client.url)
  const isHere = kind === 'local' || /^(localhost|127\.\d+\.\d+\.\d+|\[::1\])$/.test(hostname)
  if (protocol === 'https:' || isHere) return
  throw usageError(
    'A master key is not sent over plain http to another machine.',
    'Use https, or run this on the machine of the server.',
  )
}

function showProgress(screen: Screen, { moved, left }: RotationStep): void {
  if (screen.isJson || !screen.isErrTty) return
  const done = moved.secrets + moved.inputs
  screen.draw(`\r\u001b[Kmoved ${done}, ${left.secrets + left.inputs} to go`)
}

function showRotated(screen: Screen, step: RotationStep): void {
  if (screen.isJson) return screen.json(step)
  if (screen.isErrTty) screen.draw('\r\u001b[K')
  const { keyId, moved, left, hasBegun } = step
  const counts = `${counted(moved.secrets, 'secret')} and ${counted(moved.inputs, 'input')} moved`
  screen.out(`${screen.style('green', '✓')} ${toSafeLine(keyId)} is in use; ${counts}`)
  if (!hasBegun) {
    screen.out('→ This finished an interrupted rotation. Run it again for another key.')
  }
  if (left.secrets + left.inputs > 0) {
    screen.out(
      `! ${counted(left.secrets, 'secret')} and ${counted(left.inputs, 'input')} could not be moved: their key is missing, or they were altered.`,
    )
  }
  screen.out('→ Keep a copy of the new key. toolcrib keyring drop <id> removes the old one.')
}

async function drop({ connect, words, screen }: CommandContext): Promise<number> {
  const [, id] = words
  if (id === undefined) throw usageError('The id is missing.', 'Write toolcrib keyring drop <id>')
  const { client } = await connect()
  const path = `/keyring/${encodeURIComponent(id)}`
  const answer = await client.read<{ isGone: boolean }>(path, { method: 'DELETE' })
  if (screen.isJson) screen.json({ id, ...answer })
  else {
    screen.out(`${screen.style('green', '✓')} ${toSafeLine(id)} is no longer used`)
    if (!answer.isGone)
      screen.out('→ Remove it from where you keep your keys; Toolcrib does not write there.')
  }
  return exit.ok
}
