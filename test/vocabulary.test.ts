import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { type NamedThing, namesOf, readNames, wordsOf } from './setup/read-names.ts'

// A public noun has one home: its words are those of ARCHITECTURE.md, and no type name stands for two things.

/** Words that we once had for things with a usual name, and that name. */
const retired: Readonly<Record<string, string>> = {
  arrival: 'request context',
  backlog: 'retry queue',
  decree: 'policy document',
  desk: 'the noun that it offers',
  entrance: 'gate',
  face: 'scope, or output',
  lane: 'fast path, or pool',
  later: 'write-behind',
  parking: 'parked dialogs',
  passing: 'map',
  shelf: 'library',
  talk: 'conversation, or bus',
  tell: 'record, notify or send',
  telling: 'notice',
  ticket: 'resume token',
  told: 'entry',
  visit: 'request',
  whose: 'ownership',
}

/** Names that have such a word in its usual sense. */
const usual = ['visitFileValues']

/**
 * Nouns of features that are still to come, or that mean one thing alone. A type whose last word is one of
 * these belongs in its home; others need a reason.
 */
const homes: Readonly<Record<string, RegExp>> = {
  channel: /^src\/features\/channels\//,
  hook: /^src\/features\/hooks\//,
  link: /^src\/features\/links\//,
  room: /^src\/features\/rooms\//,
  run: /^src\/(?:core|features)\/conversations\//,
  session: /^src\/features\/sessions\//,
  trigger: /^src\/features\/triggers\//,
}
const elsewhere: Readonly<Record<string, string>> = {
  McpSession: 'the term of the MCP specification',
  PgliteSession: 'a connection to a database has a session',
  OpenRun: 'a run of an agent SDK',
  SdkRun: 'a run of an agent SDK',
  ScheduleRun: 'a run of a schedule, as the API calls it',
  StoredRun: 'the same in the store',
  ToolRun: 'published as the result of runTool',
}

/** Types that share their name with another, and why. */
const sharedNames: Readonly<Record<string, string>> = {
  RemoteCrib: 'the one of toolcrib/ai-sdk extends the one of toolcrib/client',
}

const root = fileURLToPath(new URL('..', import.meta.url))
const read = (folder: string) =>
  readNames(`${root}${folder}`).map((one) => ({ ...one, file: `${folder}/${one.file}` }))
const source = read('src')
// Doubles of tests are named after what they stand for.
const product = source.filter(({ file }) => !file.includes('/testing/'))
const everything = [...source, ...read('console/src'), ...read('test/setup')]

/** Names with a word that has been replaced. */
function findRetired(names: readonly NamedThing[]): string[] {
  return names.flatMap(({ name, file }) => {
    const word = wordsOf(name).find((one) => Object.hasOwn(retired, one))
    if (word === undefined || usual.includes(name)) return []
    return [`${name} in ${file}: call it ${retired[word]}`]
  })
}

/** Types of a noun that has its home elsewhere. */
function findStrays(names: readonly NamedThing[]): string[] {
  return names.flatMap(({ name, kind, file }) => {
    const home = homes[wordsOf(name).at(-1) ?? '']
    if (kind !== 'type' || home === undefined || home.test(file)) return []
    return Object.hasOwn(elsewhere, name) ? [] : [`${name} in ${file}`]
  })
}

/** Type names that more than one file defines. */
function findShared(names: readonly NamedThing[]): string[] {
  const files = new Map<string, string[]>()
  for (const { name, kind, file } of names) {
    if (kind === 'type') files.set(name, [...(files.get(name) ?? []), file])
  }
  return [...files]
    .filter(([name, found]) => found.length > 1 && !Object.hasOwn(sharedNames, name))
    .map(([name, found]) => `${name} in ${found.join(' and ')}`)
}

test('names were read', () => {
  expect(everything.filter(({ kind }) => kind === 'type').length).toBeGreaterThan(1000)
  expect(everything.filter(({ kind }) => kind === 'value').length).toBeGreaterThan(2000)
})

test('replaced words do not come back', () => {
  expect(findRetired(everything)).toEqual([])
})

test('a noun that means one thing is used for nothing else', () => {
  expect(findStrays(product)).toEqual([])
})

test('a type name stands for one thing', () => {
  // The console has its own types of what the API answers.
  const console = everything.filter(({ file }) => file.startsWith('console/'))
  expect(findShared(product)).toEqual([])
  expect(findShared(console)).toEqual([])
})

test('every exception is still needed', () => {
  const types = new Set(source.map(({ name }) => name))
  const listed = [...usual, ...Object.keys(elsewhere), ...Object.keys(sharedNames)]
  expect(listed.filter((name) => !types.has(name))).toEqual([])
})

test('each rule finds what it is for', () => {
  const bad = namesOf(
    'core/node-talk.ts',
    'export interface CallRoom {}\nexport const tellAll = 1\nexport class McpDesks {}',
  )
  expect(findRetired(bad).map((line) => line.split(' in ')[0])).toEqual([
    'node-talk',
    'tellAll',
    'McpDesks',
  ])
  expect(findStrays(bad)).toEqual(['CallRoom in core/node-talk.ts'])
  const again = namesOf('core/b.ts', 'export type CallRoom = string')
  expect(findShared([...bad, ...again])).toEqual(['CallRoom in core/node-talk.ts and core/b.ts'])
})
