import type { JsonValue } from '../../kernel/tool.ts'
import { toPlainForm } from './plain-form.ts'

/** A tool's return value as JSON, with warnings about what was lost. */
export interface JsonConversion {
  value: JsonValue
  warnings: string[]
}

const maxDepth = 100
/** An object that holds itself twice over sixty levels has 2^60 nodes; reading stops here. */
const maxNodes = 2_000_000
/**
 * Characters of all strings and keys together. Escaped six-fold and with every node's punctuation
 * this stays under the longest string V8 can hold (2^29), so that the value can always be written.
 */
const maxCharacters = 64 * 1024 * 1024
const maxWarnings = 20
const tooLarge = '[too large]'

/** A member's name or index; indices stay numbers, which is cheaper. */
type Key = string | number

interface Conversion {
  nodes: number
  characters: number
  warnings: string[]
  /**
   * Warnings that were counted but not kept: a million bad numbers must not produce a million
   * sentences.
   */
  unkept: number
  isCut: boolean
  /** The objects being read, outermost first, and the keys that led to them. */
  ancestors: object[]
  path: Key[]
}

/**
 * Converts any value to JSON; never throws. The result is always a copy, even of plain JSON
 * (copying costs no more than checking): the tool may keep changing its own object, and what was
 * checked, redacted and recorded must not change.
 *
 * undefined → null, dropped in objects · BigInt → text · Date → ISO text · Map → object when all
 * keys are texts, else entries · Set → array · bytes → `{ base64, bytes }`, other typed arrays →
 * numbers · Error → `{ name, message, code? }` · NaN and infinities → null · functions and symbols
 * are dropped · `toJSON` is honoured · cycles, more than 100 levels and unreadable members → a
 * marker text · U+0000 and lone surrogates → U+FFFD, because neither can be stored as JSON.
 */
export function toJsonValue(value: unknown): JsonConversion {
  const state: Conversion = {
    nodes: 0,
    characters: 0,
    warnings: [],
    unkept: 0,
    isCut: false,
    ancestors: [],
    path: [],
  }
  let converted: JsonValue | undefined
  try {
    converted = convert(value, '', state)
  } catch {
    // Reached only if the stack was nearly full before this started.
    warn(state, '', 'could not be read')
  }
  if (state.unkept > 0) state.warnings.push(`and ${state.unkept} more of this kind`)
  return { value: converted ?? null, warnings: state.warnings }
}

/** Undefined marks values that JSON cannot represent: left out of objects, null elsewhere. */
function convert(value: unknown, key: Key, state: Conversion): JsonValue | undefined {
  state.nodes++
  switch (typeof value) {
    case 'string':
      return convertText(value, key, state)
    case 'number':
      return Number.isFinite(value) ? value + 0 : lose(state, key, `${value} became null`)
    case 'boolean':
      return value
    case 'undefined':
      return undefined
    case 'bigint':
      return value.toString()
    case 'object':
      return value === null ? null : convertObject(value, key, state)
    default:
      warn(state, key, `a ${typeof value} was left out`)
      return undefined
  }
}

function convertText(text: string, key: Key, state: Conversion): string {
  const room = maxCharacters - state.characters
  state.characters += text.length
  const isTooLong = text.length > room
  if (!isTooLong && text.isWellFormed() && !text.includes('\0')) return text
  if (isTooLong) markFull(state, key)
  else warn(state, key, 'had characters that no JSON store can hold; they became U+FFFD')
  const kept = isTooLong ? `${text.slice(0, Math.max(0, room))}${tooLarge}` : text
  return kept.toWellFormed().replaceAll('\0', '\uFFFD')
}

function convertObject(value: object, key: Key, state: Conversion): JsonValue | undefined {
  const { ancestors, path } = state
  if (ancestors.length >= maxDepth) return mark(state, key, '[too deep]')
  if (ancestors.includes(value)) return mark(state, key, '[circular]')
  ancestors.push(value)
  path.push(key)
  try {
    return convertOpened(value, state)
  } catch {
    return mark(state, '', '[unreadable]')
  } finally {
    ancestors.pop()
    path.pop()
  }
}

function convertOpened(value: object, state: Conversion): JsonValue | undefined {
  const plain = toPlainForm(value)
  if (plain.kind === 'array') return convertArray(plain.items, state)
  if (plain.kind === 'object') return convertMembers(plain.source, state)
  if (plain.kind === 'lost') return lose(state, '', plain.reason)
  return convert(plain.value, '', state)
}

function convertArray(items: ArrayLike<unknown>, state: Conversion): JsonValue[] {
  const array: JsonValue[] = []
  for (let index = 0; index < items.length; index++) {
    if (isFull(state)) {
      array.push(markFull(state, index))
      break
    }
    array.push(readMember(items, index, state) ?? null)
  }
  return array
}

function convertMembers(source: object, state: Conversion): JsonValue {
  const object: { [key: string]: JsonValue } = {}
  for (const key of Object.keys(source)) {
    if (isFull(state)) {
      setMember(object, tooLarge, markFull(state, key))
      break
    }
    const member = readMember(source as ArrayLike<unknown>, key, state)
    if (member !== undefined) setMember(object, convertText(key, key, state), member)
  }
  return object
}

/** A getter or proxy that throws loses only its own member. */
function readMember(
  source: ArrayLike<unknown>,
  key: Key,
  state: Conversion,
): JsonValue | undefined {
  let member: unknown
  try {
    member = source[key as number]
  } catch {
    return mark(state, key, '[unreadable]')
  }
  return convert(member, key, state)
}

/** Assigning to `__proto__` would change the object's prototype instead of adding a member. */
function setMember(object: { [key: string]: JsonValue }, key: string, value: JsonValue): void {
  if (key !== '__proto__') object[key] = value
  else
    Object.defineProperty(object, key, {
      value,
      enumerable: true,
      configurable: true,
      writable: true,
    })
}

function isFull(state: Conversion): boolean {
  return state.nodes >= maxNodes || state.characters >= maxCharacters
}

function mark(state: Conversion, key: Key, marker: string): string {
  warn(state, key, `became ${marker}`)
  return marker
}

/** Reported once, at the first place: everything after it is cut for the same reason. */
function markFull(state: Conversion, key: Key): string {
  if (!state.isCut) warn(state, key, `became ${tooLarge}, as did everything after it`)
  state.isCut = true
  return tooLarge
}

function lose(state: Conversion, key: Key, reason: string): null {
  warn(state, key, reason)
  return null
}

function warn(state: Conversion, key: Key, message: string): void {
  if (state.warnings.length >= maxWarnings) return void state.unkept++
  const steps = [...state.path.slice(1), ...(key === '' ? [] : [key])]
  const pointer = cut(steps.map((step) => `/${toPointerStep(String(step))}`).join(''))
  state.warnings.push(`${pointer || 'The output'}: ${message}`)
}

function toPointerStep(step: string): string {
  const readable = cut(step).toWellFormed().replaceAll('\0', '\uFFFD')
  return readable.replaceAll('~', '~0').replaceAll('/', '~1')
}

function cut(text: string): string {
  return text.length > 200 ? `${text.slice(0, 200)}…` : text
}
