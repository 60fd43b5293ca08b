import { createHash, randomBytes } from 'node:crypto'
import { access, link, open, readFile, rename, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { ToolError } from '../core/kernel/errors.ts'
import { createUuid } from '../core/kernel/ids.ts'

/** The keys under which everything secret is sealed. New seals use the active one; the others still open. */
export interface MasterKeyRing {
  readonly activeId: string
  readonly keys: ReadonlyMap<string, Uint8Array>
}

const keyBytes = 32
const entryPattern = /^(?:([A-Za-z0-9_.-]{1,40}):)?([A-Za-z0-9+/_=-]{43,64})$/
const fileHead = `# Toolcrib master keys. This file opens every stored secret. Without it nobody can read them.
# Keep a copy apart from the data. The first key is in use, the ones below it only open older secrets.
`

/**
 * Keys as text: one `id:key` an entry, in lines or separated by commas, the active one first; a key
 * is 32 bytes in base64 or hex. A bare key gets an id made from itself.
 */
export function parseMasterKeys(text: string): MasterKeyRing {
  const entries = text
    .split('\n')
    .filter((line) => !line.trimStart().startsWith('#'))
    .flatMap((line) => line.split(','))
    .map((entry) => entry.trim())
    .filter((entry) => entry !== '')
  const keys = new Map<string, Uint8Array>()
  for (const entry of entries) {
    const [, id, encoded = ''] = entryPattern.exec(entry) ?? []
    const key = decodeKey(encoded)
    if (key.length !== keyBytes) throw malformedError(keys.size + 1)
    keys.set(id ?? fingerprint(key), key)
  }
  const [activeId] = keys.keys()
  if (activeId === undefined) throw malformedError(1)
  return { activeId, keys }
}

export interface MasterKeySource {
  dataDir: string
  /** Keys given by configuration or environment; the folder's file is then left alone. */
  text?: string
  onWarning?: (message: string) => void
}

/**
 * The keys of a data folder: those given, else those in its `master.key`, which is made on the first
 * start. The file lies outside of the database's folder, so that a copy of the database does not
 * carry its keys along.
 */
export async function loadMasterKeys(source: MasterKeySource): Promise<MasterKeyRing> {
  if (source.text !== undefined && source.text.trim() !== '') return parseMasterKeys(source.text)
  const { dataDir } = source
  const path = join(dataDir, 'master.key')
  const text = await readFile(path, 'utf8').catch(ignoreMissing)
  if (text === undefined) {
    await refuseLostKey(dataDir, path)
    await writeKeyFile(path, [toEntry(createMasterKey())], 'create')
    return parseMasterKeys(await readFile(path, 'utf8'))
  }
  const { mode } = await stat(path)
  if (process.platform !== 'win32' && (mode & 0o077) !== 0) {
    source.onWarning?.(
      `${path} can be read by other users of this machine; make it private with: chmod 600 ${path}`,
    )
  }
  return parseMasterKeys(text)
}

/** Where a node has its keys from, for as long as it runs. */
export interface KeySource {
  /** For people: a path, or the name of a variable. */
  readonly place: string
  /** The keys in the source now. */
  read(): Promise<MasterKeyRing>
  /** Absent where the operator keeps the keys: there we change nothing. */
  readonly file?: {
    /** Puts this key in front, or a fresh one. */
    add(key?: MasterKey): Promise<MasterKeyRing>
    remove(id: string): Promise<void>
  }
}

export interface MasterKey {
  id: string
  key: Uint8Array
}

/** The `master.key` of a data folder, as a source that can be changed. */
export function createKeyFile(dataDir: string): KeySource {
  const path = join(dataDir, 'master.key')
  // Never created here again: a file that is lost while the node runs must be restored, not
  // replaced.
  const read = async () => parseMasterKeys(await readFile(path, 'utf8'))
  const write = (keys: Iterable<MasterKey>) => writeKeyFile(path, [...keys].map(toEntry), 'replace')
  const listed = async () => [...(await read()).keys].map(([id, key]) => ({ id, key }))
  return {
    place: path,
    read,
    file: {
      async add(key = createMasterKey()) {
        await write([key, ...(await listed()).filter(({ id }) => id !== key.id)])
        return read()
      },
      async remove(id) {
        await write((await listed()).filter((one) => one.id !== id))
      },
    },
  }
}

/** A fresh key, with an id made from it. */
export function createMasterKey(): MasterKey {
  const key = randomBytes(keyBytes)
  return { id: fingerprint(key), key }
}

function toEntry({ id, key }: MasterKey): string {
  return `${id}:${Buffer.from(key).toString('base64url')}`
}

/** Tells keys apart without saying anything about them. */
function fingerprint(key: Uint8Array): string {
  return `k${createHash('sha256').update('toolcrib master key').update(key).digest('hex').slice(0, 12)}`
}

function decodeKey(encoded: string): Buffer {
  return Buffer.from(encoded, /^[0-9a-fA-F]{64}$/.test(encoded) ? 'hex' : 'base64')
}

/** Written aside and on disk before it gets its name: half a key file would cost every secret. */
async function writeKeyFile(
  path: string,
  entries: readonly string[],
  mode: 'create' | 'replace',
): Promise<void> {
  const draft = `${path}.${createUuid()}`
  const file = await open(draft, 'wx', 0o600)
  try {
    await file.writeFile(`${fileHead}${entries.join('\n')}\n`)
    await file.sync()
  } finally {
    await file.close()
  }
  if (mode === 'replace') return rename(draft, path)
  // A link fails where the name is taken: of two first starts, one makes the key and both use it.
  await link(draft, path).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'EEXIST') throw error
  })
  await rm(draft, { force: true })
}

/** A new key cannot open old secrets, so this fails instead of creating one. */
async function refuseLostKey(dataDir: string, path: string): Promise<void> {
  const hasDatabase = await access(join(dataDir, 'db', 'PG_VERSION')).then(
    () => true,
    () => false,
  )
  if (!hasDatabase) return
  throw new ToolError(
    'wrong_master_key',
    `${path} is missing, but the data in ${dataDir} was sealed with it.`,
    {
      fix: 'Put the file back from your copy, or give the key by configuration.',
    },
  )
}

function ignoreMissing(error: NodeJS.ErrnoException): undefined {
  if (error.code !== 'ENOENT') throw error
}

function malformedError(entry: number): ToolError {
  return new ToolError('wrong_master_key', `Entry ${entry} of the master keys is not a key.`, {
    fix: 'A key is 32 bytes in base64 or hex, optionally with an id before it: k1:<key>. Make one with: openssl rand -base64 32',
  })
}
