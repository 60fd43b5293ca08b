import { createRedactor, emptyRedactor, type RedactStream, type Redactor } from './redact.ts'

/** The secrets of calls that run or ran lately: what must not stand in the log of the process. */
export interface KnownSecrets {
  note(secrets: Readonly<Record<string, string>>): void
  redactText(text: string): string
  /** For what is printed piece by piece, without an end. */
  redactStream(): LogStream
}

/** What is printed, without secrets, also those that came in several pieces. */
export type LogStream = Pick<RedactStream, 'push' | 'settle' | 'heldText'>

const maxValues = 1000
const maxChars = 262_144
/** Shorter ones turn up by chance, and would garble the log. */
const minLength = 8

/**
 * Remembers the values that were used last. An error may escape a tool long after its call has ended,
 * and nobody can tell then whose it is: so all of them are looked for.
 */
export function createKnownSecrets(): KnownSecrets {
  /** Value → name, in the order of use. */
  const known = new Map<string, string>()
  let chars = 0
  let redactor: Redactor | undefined

  function drop(value: string): void {
    known.delete(value)
    chars -= value.length
    redactor = undefined
  }
  function add(name: string, value: string): void {
    const isNew = !known.delete(value)
    known.set(value, name)
    if (!isNew) return
    chars += value.length
    redactor = undefined
    while (known.size > maxValues || chars > maxChars) {
      const [oldest] = known.keys()
      if (oldest === undefined) return
      drop(oldest)
    }
  }
  const current = () => (redactor ??= toRedactor(known))
  return {
    note(secrets) {
      for (const [name, value] of Object.entries(secrets)) {
        if (value.length >= minLength && value.length <= maxChars) add(name, value)
      }
    },
    redactText: (text) => current().redactText(text),
    redactStream: () => createLogStream(current),
  }
}

/** Goes on with other secrets as soon as some are noted; what is held back is looked at again. */
function createLogStream(current: () => Redactor): LogStream {
  let redactor: Redactor | undefined
  let stream: RedactStream = emptyRedactor.redactStream()
  return {
    push(chunk) {
      const now = current()
      if (now === redactor) return stream.push(chunk)
      const held = stream.heldText()
      const before = held === undefined ? stream.end() : ''
      redactor = now
      stream = now.redactStream()
      return before + stream.push((held ?? '') + chunk)
    },
    settle: () => stream.settle(),
    heldText: () => stream.heldText(),
  }
}

function toRedactor(known: ReadonlyMap<string, string>): Redactor {
  if (known.size === 0) return emptyRedactor
  const counts = new Map<string, number>()
  const entries = [...known].map(([value, name]) => {
    const count = (counts.get(name) ?? 0) + 1
    counts.set(name, count)
    return [count === 1 ? name : `${name} ${count}`, value] as const
  })
  return createRedactor(Object.fromEntries(entries))
}
