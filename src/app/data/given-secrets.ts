import { readFile } from 'node:fs/promises'
import { ToolError } from '../../core/kernel/errors.ts'

type Environment = Readonly<Record<string, string | undefined>>

/** The master keys that the environment gives, as text or in a file. Undefined: the data folder has them. */
export function readGivenMasterKeys(env: Environment): Promise<string | undefined> {
  return readGiven(env, 'TOOLCRIB_MASTER_KEY')
}

/**
 * The database's address, from the command line, the environment or the configuration. A password in
 * `TOOLCRIB_DATABASE_PASSWORD_FILE` goes into it: the file that the database was given then serves both.
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
  // encodeURIComponent, because the setter leaves a percent sign as it is.
  address.password = encodeURIComponent(password)
  return address.href
}

/** A variable, or the file that the variable with `_FILE` at its end names: what Docker and Kubernetes mount. */
async function readGiven(env: Environment, name: string): Promise<string | undefined> {
  const text = env[name]?.trim() ? env[name] : undefined
  const fromFile = await readSecretFile(env, `${name}_FILE`)
  if (text === undefined || fromFile === undefined) return text ?? fromFile
  throw new ToolError('invalid_config', `${name} and ${name}_FILE are both set`, {
    fix: 'Leave one of them out.',
  })
}

/** A file that is named must say something: going on without it would make a second key, or another store. */
async function readSecretFile(env: Environment, name: string): Promise<string | undefined> {
  const file = env[name]
  if (!file) return undefined
  const text = await readFile(file, 'utf8').catch((error: Error) => {
    throw new ToolError('invalid_config', `The file in ${name} can't be read: ${error.message}`, {
      fix: 'See that it is mounted and that the user of this process may read it.',
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
    fix: 'Give it as postgres://user@host:5432/name; the password is in the file.',
  })
}
