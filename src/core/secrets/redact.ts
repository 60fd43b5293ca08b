import type { JsonValue } from '../kernel/tool.ts'
import { toAutomaton, type Automaton } from './automaton.ts'
import { minSecretLength, toEncodings } from './encodings.ts'
import { toMarkers } from './markers.ts'
import { createPrefilter } from './prefilter.ts'
import { createScanner, isHighSurrogate } from './scanner.ts'

/** Removes the values of one call's secrets from all its output. */
export interface Redactor {
  /** True when there is nothing to search for. */
  readonly isEmpty: boolean
  redactText(text: string): string
  /**
   * Redacts texts, keys, and numbers whose digits contain a secret. Returns the same value when
   * there are none.
   */
  redactValue(value: JsonValue): JsonValue
  /**
   * For values shown while they still grow: possible starts of a secret are removed, too. Returns
   * the same value when there are none.
   */
  redactPartial(value: JsonValue): JsonValue
  /** The same for one text. */
  redactGrowing(text: string): string
  /**
   * For text that arrives in pieces: together they give exactly the result of `redactText` for the
   * whole.
   */
  redactStream(): RedactStream
}

export interface RedactStream {
  /** The part that can be shown by now, without anything that may still become a secret. */
  push(chunk: string): string
  /** The text held back. */
  end(): string
  /** For text without an end: releases starts that any word may have, and keeps revealing ones. */
  settle(): string
  /** The original text held back; undefined if part of it belongs to a secret that was found. */
  heldText(): string | undefined
}

/** Texts inside a value that are not redacted. */
export interface KeptTexts {
  /** Keys that a schema names: they are public. */
  publicKeys?: ReadonlySet<string> | undefined
  /** Markers that already replace a secret. */
  marks?: ReadonlySet<string>
}

interface JsonRedaction extends KeptTexts {
  redactText(text: string): string
}

const noTexts: KeptTexts = {}
const maxDepth = 1000

/** For calls without secrets. */
export const emptyRedactor: Redactor = {
  isEmpty: true,
  redactText: (text) => text,
  redactValue: (value) => value,
  redactPartial: (value) => value,
  redactGrowing: (text) => text,
  redactStream: () => ({
    push: (chunk) => chunk,
    end: () => '',
    settle: () => '',
    heldText: () => '',
  }),
}

/**
 * A redactor for these secrets, by name. Each value of at least four characters is searched for raw
 * and in all its encodings, and becomes `[redacted:<name>]`; overlapping matches become one marker.
 * Not found: compressed or encrypted values, or one spread over several texts.
 */
export function createRedactor(
  secrets: Readonly<Record<string, string>>,
  kept: KeptTexts = noTexts,
): Redactor {
  const patterns = toPatterns(secrets)
  if (patterns.size === 0) return emptyRedactor
  const mayContain = createPrefilter(patterns.keys())
  let mayBegin: ((text: string) => boolean) | undefined
  let machine: { automaton: Automaton; markers: ReadonlyMap<string, string> } | undefined
  // Built only when the quick check finds a candidate: most outputs contain no secret, and pay only
  // for the check.
  const open = (isGuarding = false) => {
    machine ??= toMachine(patterns)
    return createScanner(machine.automaton, machine.markers, isGuarding)
  }

  const redactText = (text: string) => {
    if (!mayContain(text)) return text
    const scanner = open()
    return scanner.push(text) + scanner.end()
  }
  const hasBeginning = (text: string) => {
    mayBegin ??= createPrefilter([...patterns.keys()].map((one) => one.slice(0, minSecretLength)))
    return mayBegin(text)
  }
  const redactGrowing = (text: string) => {
    if (!hasBeginning(text)) return text
    const scanner = open(true)
    const shown = scanner.push(text)
    // Shorter suffixes are those of any word.
    return scanner.openLength() < minSecretLength ? shown + scanner.end() : shown
  }
  const endsPlainly = createEndCheck(patterns.keys())
  const redactStream = (): RedactStream => {
    let scanner: ReturnType<typeof open> | undefined
    return {
      push(chunk) {
        // Nothing is held back and nothing starts here, so the expensive scanner is not needed.
        const isFresh = scanner === undefined || scanner.heldText() === ''
        if (isFresh && endsPlainly(chunk) && !hasBeginning(chunk)) return chunk
        return (scanner ??= open()).push(chunk)
      },
      end: () => scanner?.end() ?? '',
      settle: () =>
        scanner === undefined || scanner.openLength() >= minSecretLength ? '' : scanner.end(),
      heldText: () => (scanner === undefined ? '' : scanner.heldText()),
    }
  }
  return {
    isEmpty: false,
    redactText,
    redactGrowing,
    redactStream,
    redactValue: (value) => redactJson(value, { redactText, ...kept }),
    redactPartial: (value) => redactJson(value, { redactText: redactGrowing, ...kept }),
  }
}

/** Checks that no pattern shorter than those of `hasBeginning` starts at the end of a text. */
function createEndCheck(patterns: Iterable<string>): (text: string) => boolean {
  const beginnings = new Set<string>()
  for (const pattern of patterns) {
    for (let length = 1; length < minSecretLength; length++) {
      beginnings.add(pattern.slice(0, length))
    }
  }
  return (text) => {
    // Half a pair would not survive being sent separately.
    if (isHighSurrogate(text.charCodeAt(text.length - 1))) return false
    for (let length = 1; length < minSecretLength; length++) {
      if (beginnings.has(text.slice(-length))) return false
    }
    return true
  }
}

function toMachine(patterns: ReadonlyMap<string, string>) {
  const automaton = toAutomaton(patterns)
  return { automaton, markers: toMarkers(patterns, automaton) }
}

function toPatterns(secrets: Readonly<Record<string, string>>): Map<string, string> {
  const patterns = new Map<string, string>()
  for (const [name, value] of Object.entries(secrets)) {
    if (value.length < minSecretLength) continue
    for (const pattern of toEncodings(value)) {
      if (!patterns.has(pattern)) patterns.set(pattern, name)
    }
  }
  return patterns
}

function redactJson(value: JsonValue, by: JsonRedaction, depth = 0): JsonValue {
  if (typeof value === 'string') return by.marks?.has(value) ? value : by.redactText(value)
  if (typeof value === 'number') {
    const text = String(value)
    const redacted = by.redactText(text)
    return redacted === text ? value : redacted
  }
  if (typeof value !== 'object' || value === null) return value
  // A value too deep to check must neither pass nor overflow the stack.
  if (depth >= maxDepth) return '[too deep]'
  return Array.isArray(value)
    ? redactArray(value, by, depth + 1)
    : redactObject(value, by, depth + 1)
}

function redactArray(items: JsonValue[], by: JsonRedaction, depth: number): JsonValue[] {
  const redacted = items.map((item) => redactJson(item, by, depth))
  return redacted.some((item, index) => item !== items[index]) ? redacted : items
}

function redactObject(
  object: { [key: string]: JsonValue },
  by: JsonRedaction,
  depth: number,
): JsonValue {
  let isChanged = false
  const members = new Map<string, JsonValue>()
  for (const [key, value] of Object.entries(object)) {
    const redactedKey = by.publicKeys?.has(key) ? key : by.redactText(key)
    const redacted = redactJson(value, by, depth)
    isChanged ||= redactedKey !== key || redacted !== value
    members.set(toFreeKey(members, redactedKey), redacted)
  }
  return isChanged ? Object.fromEntries(members) : object
}

/** Two keys that contained different secrets are equal now; neither member may be lost. */
function toFreeKey(members: ReadonlyMap<string, JsonValue>, key: string): string {
  let free = key
  for (let number = 2; members.has(free); number++) free = `${key} ${number}`
  return free
}
