import { createRedactor, emptyRedactor, type RedactStream, type Redactor } from './redact.ts'

/** The secrets of running and recent calls: they must not appear in the process log. */
export interface KnownSecrets {
  note(secrets: Readonly<Record<string, string>>): void
  redactText(text: string): string
  /** For output that is printed in pieces, without an end. */
  redactStream(): LogStream
}

/** Printed text without secrets, including those that arrived in several pieces. */
export type LogStream = Pick<RedactStream, 'push' | 'settle' | 'heldText'>

const maxValues = 1000
const maxChars = 262_144
/** Shorter ones occur by chance, and would garble the log. */
const minLength = 8

/**
 * Remembers the values used last. An error may escape a tool long after its call has ended, and its
 * origin is then unknown: so all of them are searched for.
 */
export function createKnownSecrets(): KnownSecrets {
  /** Value → name, in order of use. */
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

/** Uses the new secrets as soon as they are added; text held back is checked again. */
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
