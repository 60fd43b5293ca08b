import { readFile } from 'node:fs/promises'
import { ToolError } from '../../core/kernel/errors.ts'

type Environment = Readonly<Record<string, string | undefined>>

/**
 * The master keys that the environment sets, as text or in a file. Undefined: they are in the data
 * folder.
 */
export function readGivenMasterKeys(env: Environment): Promise<string | undefined> {
  return readGiven(env, 'TOOLCRIB_MASTER_KEY')
}

/**
 * The database's address, from the command line, the environment or the configuration. A password
 * in `TOOLCRIB_DATABASE_PASSWORD_FILE` is added to it, so that the database and the server can
 * share one file.
 */
export async function readDatabaseUrl(
  env: Environment,
  places: { option?: string; configured?: string },
): Promise<string | undefined> {
  const url = places.option ?? (await readGiven(env, 'TOOLCRIB_DATABASE')) ?? places.configured
  const password = await readSecretFile(env, 'TOOLCRIB_DATABASE_PASSWORD_FILE')
  if (url === undefined || password === undefined) return url
  if (!URL.canParse(url)) throw notAnAddress()
  const address = new URL(url)
  // Encoded here, because the setter does not encode a percent sign.
  address.password = encodeURIComponent(password)
  return address.href
}

/**
 * A variable, or the file named by the variable with the suffix `_FILE`: Docker and Kubernetes
 * mount secrets as files.
 */
async function readGiven(env: Environment, name: string): Promise<string | undefined> {
  const text = env[name]?.trim() ? env[name] : undefined
  const fromFile = await readSecretFile(env, `${name}_FILE`)
  if (text === undefined || fromFile === undefined) return text ?? fromFile
  throw new ToolError('invalid_config', `${name} and ${name}_FILE are both set`, {
    fix: 'Unset one of them.',
  })
}

/**
 * A named file must not be empty: continuing without it would create a second key, or another
 * store.
 */
async function readSecretFile(env: Environment, name: string): Promise<string | undefined> {
  const file = env[name]
  if (!file) return undefined
  const text = await readFile(file, 'utf8').catch((error: Error) => {
    throw new ToolError('invalid_config', `The file in ${name} can't be read: ${error.message}`, {
      fix: 'Check that it is mounted and that the user of this process can read it.',
      cause: error,
    })
  })
  if (text.trim() !== '') return text.trim()
  throw new ToolError('invalid_config', `The file in ${name} is empty: ${file}`, {
    fix: 'Write the secret into it, or unset the variable.',
  })
}

function notAnAddress(): ToolError {
  return new ToolError('invalid_config', 'The address of the database is not a URL', {
    fix: 'Use postgres://user@host:5432/name; the password is read from the file.',
  })
}
