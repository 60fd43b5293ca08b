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
  const plain = rest.map(toPlain)
  rest.forEach((name, index) => {
    const wanted = plain[index] ?? ''
    const isAlone = plain.filter((other) => other === wanted).length === 1
    const isFree = isAlone && !taken.has(wanted) && allowed.test(wanted)
    local.set(name, isFree ? wanted : withHash(wanted, name))
  })
  return local
}

function toPlain(name: string): string {
  return name.replaceAll(/[^A-Za-z0-9_./-]/gu, '_') || '_'
}

function withHash(plain: string, name: string): string {
  const hash = createHash('sha256').update(name).digest('hex').slice(0, 10)
  return `${plain.slice(0, longest - 11)}_${hash}`
}
