import { createHash } from 'node:crypto'

const allowed = /^[A-Za-z0-9_./-]{1,128}$/
const longest = 128

/**
 * The names under which the tools of a server are known here, by the server's own: as they are where
 * they may be, else with what is not allowed replaced, and a hash where two would meet. A name
 * depends on the tool's own name alone and on who has it as it is, never on the order of the list.
 */
export function toLocalNames(names: readonly string[]): Map<string, string> {
  const local = new Map<string, string>()
  const taken = new Set(names.filter((name) => allowed.test(name)))
  for (const name of taken) local.set(name, name)
  const rest = names.filter((name) => !local.has(name))
  const isPlainFree = toFree(rest.map(toPlain), taken)
  const isOdd = (name: string) => !isPlainFree(toPlain(name)) || !allowed.test(toPlain(name))
  for (const name of rest.filter((one) => !isOdd(one))) local.set(name, toPlain(name))
  const odd = rest.filter(isOdd)
  const plain = new Set(local.values())
  const isShortFree = toFree(odd.map(toShort), plain)
  for (const name of odd.filter((one) => isShortFree(toShort(one)))) local.set(name, toShort(name))
  const known = new Set(local.values())
  for (const name of odd.filter((one) => !local.has(one))) local.set(name, toLong(name, known))
  return local
}

/** Which of these nobody else has. */
function toFree(wanted: readonly string[], taken: ReadonlySet<string>) {
  const counts = new Map<string, number>()
  for (const one of wanted) counts.set(one, (counts.get(one) ?? 0) + 1)
  return (one: string) => counts.get(one) === 1 && !taken.has(one)
}

/** Of a name that is too long anyway, no more than shows that it is; a character may be two units long. */
function toPlain(name: string): string {
  return name.slice(0, 2 * (longest + 1)).replaceAll(/[^A-Za-z0-9_./-]/gu, '_') || '_'
}

function toShort(name: string): string {
  return withHash(name, hashOf(name).slice(0, 10))
}

/** For names that were made to meet: a server can draw two with the same short hash, or call a tool by it. */
function toLong(name: string, taken: ReadonlySet<string>): string {
  for (let hash = hashOf(name); ; hash = hashOf(hash)) {
    if (!taken.has(withHash(name, hash))) return withHash(name, hash)
  }
}

function withHash(name: string, hash: string): string {
  return `${toPlain(name).slice(0, longest - hash.length - 1)}_${hash}`
}

function hashOf(text: string): string {
  return createHash('sha256').update(text).digest('hex')
}
