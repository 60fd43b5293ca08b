import { readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import {
  crossedStores,
  crowdedFolders,
  cycles,
  folderCycles,
  importsOutside,
  innerKnots,
  layerOf,
  strayPackages,
  wrongDirections,
} from './setup/layer-rules.ts'
import type { LayerTable, PackageHomes } from './setup/layer-rules.ts'
import { readModule, readModules } from './setup/read-module.ts'

const src = fileURLToPath(new URL('../src', import.meta.url))

/** Who may know whom. Dependencies point to core; only app constructs. */
const layers: LayerTable = {
  core: [],
  host: ['core'],
  // The tables and events of features: below the store, and known to everybody but core, which gets types alone.
  declarations: ['core'],
  store: ['core', 'declarations'],
  features: ['core', 'declarations'],
  'feature stores': ['core', 'store', 'declarations', 'features'],
  // What a feature opens with: the engine of its tables, and its store.
  'feature lists': ['core', 'store', 'features', 'feature stores'],
  engine: ['core'],
  tools: ['core'],
  authoring: ['core'],
  gateway: ['core'],
  client: ['core', 'declarations'],
  'doors/sdk': ['core', 'client'],
  define: ['core'],
  agents: ['core', 'doors/sdk'],
  doors: ['core', 'declarations', 'features', 'authoring', 'gateway'],
  app: [
    'core',
    'host',
    'store',
    'declarations',
    'features',
    'feature lists',
    'engine',
    'tools',
    'authoring',
    'gateway',
    'doors/sdk',
    'agents',
    'doors',
  ],
  testing: ['core', 'store', 'feature lists', 'app'],
}

/** Validators and the calendar of cron expressions are pure; everything else that core needs arrives through a port. */
const coreMayUse = ['cron-parser', 're2js', 'zod']

/** A driver is known to one layer, so that replacing it touches one layer. */
const homes: PackageHomes = {
  '@electric-sql/pglite': ['store'],
  '@hono/node-server': ['doors/http'],
  '@hono/zod-openapi': ['doors/http'],
  hono: ['doors/http'],
  kysely: ['store', 'feature stores'],
  pg: ['store'],
}

/** Those that may import the types alone: nothing of the package is loaded. */
const typeHomes: PackageHomes = { kysely: ['declarations'] }

/** Published names are listed in these files. */
const publishedEntries = [
  'app/index.ts',
  'testing/index.ts',
  'doors/sdk/index.ts',
  'client/index.ts',
  'define/index.ts',
]

/**
 * Folders that still hold more than 25 files. Lower a number, or remove its line, when you group the folder by
 * meaning; never raise one.
 */
const crowdedSource: Record<string, number> = {
  'doors/http/routes': 26,
}
const crowdedConsole: Record<string, number> = {}

/**
 * Folders and flat files of a layer that still import each other. Remove a name from its list when you untie it;
 * never add one.
 */
const knotsInside: Record<string, string[][]> = {
  agents: [],
  app: [],
  core: [],
  'doors/cli': [],
  'doors/http': [],
  'doors/mcp': [],
  'doors/sdk': [],
  engine: [],
  gateway: [],
  store: [],
}

const everything = readModules(src)
// Tests, their contract suites and what they are given may use fakes and neighbours: they construct, as app does.
const forTests =
  /\.(?:test|contract)\.ts$|^store\/contract\/|^features\/[\w-]+\/store\/testing\/|^(?:doors|tools)\/\w+\/testing\//
const modules = everything.filter(({ path }) => !forTests.test(path))

const consoleSource = fileURLToPath(new URL('../console/src', import.meta.url))
const consoleFiles = readModules(consoleSource)
const consoleModules = consoleFiles.filter(
  ({ path }) => !/\.test\.tsx?$|(?:^|\/)testing\//.test(path),
)

test('every file of src was read, and so was every import that a plain search finds', () => {
  const found = everything.flatMap(({ imports }) => imports).length
  const searched = everything
    .map(({ path }) => readFileSync(join(src, path), 'utf8'))
    .flatMap((text) => [...text.matchAll(/^(?:import|export)\b[^'"`;]*? from '[^']+'$/gm)]).length
  expect(modules.length).toBeGreaterThan(100)
  expect(searched).toBeGreaterThan(300)
  expect(found).toBeGreaterThanOrEqual(searched)
})

test('every folder of src is a layer of the table', () => {
  const folders = new Set(modules.map(({ path }) => layerOf(path)))
  expect([...folders].filter((folder) => !Object.hasOwn(layers, folder))).toEqual([])
})

test('imports point the way the table says', () => {
  expect(wrongDirections(modules, layers)).toEqual([])
})

test('no store of a feature imports that of another', () => {
  expect(crossedStores(modules)).toEqual([])
  const wrong = "import { find } from '../../people/store/member-store.ts'"
  const own = "import { find } from './people-store.ts'"
  const judge = (path: string, text: string) => crossedStores([readModule(path, text)]).length
  expect(judge('features/sign-ins/store/people.ts', wrong)).toBe(1)
  expect(judge('features/sign-ins/store/people.ts', own)).toBe(0)
  expect(judge('features/people/store/other.ts', wrong)).toBe(0)
})

test('every file of the console was read, and so was every import that a plain search finds', () => {
  const found = consoleFiles.flatMap(({ imports }) => imports)
  const searched = consoleFiles
    .map(({ path }) => readFileSync(join(consoleSource, path), 'utf8'))
    .flatMap((text) => [...text.matchAll(/^import\b[^'"`;]*? from '[^']+'$|\bimport\('/gm)]).length
  expect(consoleModules.length).toBeGreaterThan(300)
  expect(searched).toBeGreaterThan(1500)
  expect(found.length).toBeGreaterThanOrEqual(searched)
  expect(found.filter(({ kind }) => kind === 'dynamic').length).toBeGreaterThan(20)
})

test('the console knows the platform over HTTP alone', () => {
  const outside = consoleModules.flatMap(({ path, imports }) =>
    imports
      .map(({ specifier = '' }) => specifier)
      .filter((specifier) => reachesOut(path, specifier))
      .map((specifier) => `${path}: ${specifier}`),
  )
  expect(outside).toEqual([])
})

test('what the console shares with core loads nothing else of it', () => {
  const shared = new Set(readByConsole.map((file) => file.slice('../../src/'.length)))
  const values = modules
    .filter(({ path }) => shared.has(path) && path !== 'core/shapes/field.ts')
    .flatMap(({ path, imports }) =>
      imports
        .filter(({ kind }) => kind !== 'type')
        .map(({ specifier = '' }) => join(dirname(path), specifier)),
    )
  expect(values.filter((path) => !shared.has(path))).toEqual([])
  expect(values.length).toBeGreaterThan(0)
})

test('no file of the console imports itself through others, lazily loaded ones included', () => {
  expect(cycles(consoleFiles)).toEqual([])
})

test('folders of the console do not import each other in a circle', () => {
  expect(folderCycles(consoleModules)).toEqual([])
})

test('a folder holds at most 25 product files', () => {
  expect(crowdedFolders(consoleModules, 25)).toEqual(crowdedConsole)
  // Migrations are published one by one and never merged.
  const grouped = modules.filter(({ path }) => !path.startsWith('store/engine/migrations/'))
  const found = Object.entries(crowdedFolders(grouped, 25))
  expect(found.filter(([folder, files]) => files > (crowdedSource[folder] ?? 25))).toEqual([])
})

test('folders and files inside a layer import each other no more than they did', () => {
  for (const [layer, known] of Object.entries(knotsInside)) {
    const left = new Set(known.flat())
    const found = innerKnots(modules, layer).flat()
    expect({ layer, found: found.filter((name) => !left.has(name)) }).toEqual({ layer, found: [] })
  }
})

test('the kernel of core knows nothing but itself', () => {
  expect(importsOutside(modules, 'core/kernel', ['zod'])).toEqual([])
})

/** Pure conversions that both sides must make alike (decision 23). Their types may come from beside them. */
const readByConsole = ['field-schema.ts', 'field.ts', 'read-fields.ts'].map((file) =>
  join('../../src/core/shapes', file),
)

/** Out of console/src, or into the package itself by its name. */
function reachesOut(from: string, specifier: string): boolean {
  if (specifier.startsWith('.')) {
    const target = join(dirname(from), specifier)
    return target.startsWith('..') && !readByConsole.includes(target)
  }
  return /^(?:toolcrib|node:)/.test(specifier)
}

test('core uses validators only, and every driver has one home', () => {
  expect(strayPackages(modules, { coreMayUse, homes, typeHomes })).toEqual([])
})

test('no file imports itself through others, types included', () => {
  expect(cycles(everything)).toEqual([])
})

test('nothing in src has a default export', () => {
  expect(
    modules.filter(({ hasDefaultExport }) => hasDefaultExport).map(({ path }) => path),
  ).toEqual([])
})

test('only the published entries hand on the names of others', () => {
  const barrels = modules.filter(({ isBarrel }) => isBarrel).map(({ path }) => path)
  expect(barrels.filter((path) => !publishedEntries.includes(path))).toEqual([])
})

/** What reads the clock of the machine, and why it may. */
const machineClocks = {
  'core/kernel/ids.ts': 'before a store is open',
  'store/engine/engine-clock.ts': 'the clock of an embedded database',
  'store/engine/pglite/folder-lock.ts': 'times of files',
  'store/log/journal/replay-journal.ts': 'a file name',
  'engine/take-jobs.ts': 'looks for jumps of that clock',
  'features/sign-ins/oidc-clients.ts': 'looks how far that clock is off',
  'app/create-crib.ts': 'a start that the caller reckons by it',
  'app/pipeline/well-formed.ts': 'the same',
  'app/pipeline/call-access.ts': 'the same, converted to the time of the store',
  'app/data/data-folder.ts': 'a note for people',
  'app/loader/follow-tool-files.ts': 'a number for modules that are loaded again',
  'app/log/server-log.ts': 'the log of the machine',
}

test('time comes from the store, not from the machine', () => {
  const beyondStore = /^(?:core|features|store|engine|agents|gateway|app)\//
  // What a terminal shows is relative to the time of its own machine.
  const free = /\/(?:contract|testing)\/|\/terminal\.ts$|\.contract\.ts$/
  const readers = modules
    .map(({ path }) => path)
    .filter((path) => beyondStore.test(path) && !free.test(path))
    .filter((path) => /Date\.now\(\)|new Date\(\)/.test(readFileSync(join(src, path), 'utf8')))
  expect(readers.toSorted()).toEqual(Object.keys(machineClocks).toSorted())
})

test('importing a file of src does nothing', () => {
  expect(
    modules
      .filter(({ effects }) => effects.length > 0)
      .map(({ path, effects }) => ({ path, effects })),
  ).toEqual([])
})

test('a wrong import is caught however it is written', () => {
  const ways = [
    "import { open } from '../store/open.ts'",
    "import '../store/open.ts'",
    "import type { Open } from '../store/open.ts'",
    "import { type Open } from '../store/open.ts'",
    "export { open } from '../store/open.ts'",
    "export type { Open } from '../store/open.ts'",
    "export * from '../store/open.ts'",
    "export * as store from '../store/open.ts'",
    "export const later = () => import('../store/open.ts')",
    'export const later = async () => (await import(`../store/open.ts`)).open',
    "export type Open = import('../store/open.ts').Open",
    "export type Open = typeof import('../store/open.ts')",
    "import open = require('../store/open.ts')",
    "export const open = require('../store/open.ts')",
    "import {\n  open,\n} from '../store/open.ts'",
  ]
  const store = readModule('store/open.ts', 'export const open = 1')
  const missed = ways.filter((text) => {
    const faults = wrongDirections([readModule('core/bad.ts', text), store], layers)
    return faults.length !== 1 || !faults[0]?.includes('core may not know store')
  })
  expect(missed).toEqual([])
})

test('text and comments that look like imports are none', () => {
  const text =
    "// import '../store/open.ts'\nexport const text = `import x from '../store/open.ts'`"
  expect(readModule('core/good.ts', text).imports).toEqual([])
})

test('built-in modules, drivers and computed imports are caught in core', () => {
  const texts = [
    "import { readFile } from 'node:fs/promises'",
    "import type { Stats } from 'node:fs'",
    "import fs from 'fs'",
    "import type { Pool } from 'pg'",
    "export const open = () => import('@electric-sql/pglite/contrib/amcheck')",
    'export const open = (name: string) => import(name)',
  ]
  const caught = texts.map(
    (text) => strayPackages([readModule('core/bad.ts', text)], { coreMayUse, homes }).length,
  )
  expect(caught).toEqual([1, 1, 1, 1, 1, 1])
})

test('a driver outside of its home is caught, and inside it is not', () => {
  const text = "import { sql } from 'kysely'"
  const judge = (path: string) => strayPackages([readModule(path, text)], { coreMayUse, homes })
  expect(judge('doors/http/bad.ts')).toEqual([
    'doors/http/bad.ts:1 imports kysely, which belongs in store, feature stores',
  ])
  expect(judge('store/calls.ts')).toEqual([])
})

test('where only the types of a driver may be imported, its values are caught', () => {
  const judge = (text: string) =>
    strayPackages([readModule('features/x/tables.ts', text)], { coreMayUse, homes, typeHomes })
  expect(judge("import type { Generated } from 'kysely'")).toEqual([])
  expect(judge("import { sql } from 'kysely'")).toHaveLength(1)
})

test('a cycle is caught through types and dynamic imports, and an import that leads nowhere too', () => {
  const loop = [
    readModule('core/a.ts', "import type { B } from './b.ts'\nexport type A = B"),
    readModule('core/b.ts', "export type B = typeof import('./c.ts')"),
    readModule('core/c.ts', "export const a = () => import('./a.ts')"),
    readModule('core/d.ts', "import type { A } from './a.ts'\nexport type D = A"),
    readModule('core/e.ts', "export type { E } from './e.ts'"),
  ]
  expect(cycles(loop)).toEqual(['core/a.ts ⇄ core/b.ts ⇄ core/c.ts', 'core/e.ts'])
  expect(wrongDirections([readModule('core/a.ts', "import './gone.ts'")], layers)).toEqual([
    'core/a.ts:1 imports ./gone.ts, which does not exist',
  ])
})

test('a cycle between folders is caught where no file is in one', () => {
  const files = [
    readModule('shell/frame.ts', "import '../screens/list.ts'"),
    readModule('screens/list.ts', 'export const list = 1'),
    readModule('screens/page.ts', "export const key = () => import('../shell/key.ts')"),
    readModule('shell/key.ts', "import '../ui/text.ts'"),
    readModule('ui/text.ts', 'export const text = 1'),
  ]
  expect(cycles(files)).toEqual([])
  expect(folderCycles(files)).toEqual(['screens ⇄ shell'])
})

test('a crowded folder and a knot inside a layer are seen', () => {
  const files = [
    readModule('core/a/one.ts', "import '../b/one.ts'"),
    readModule('core/a/two.ts', 'export const two = 2'),
    readModule('core/b/one.ts', "export type Two = typeof import('../a/two.ts')"),
    readModule('core/c/one.ts', "import '../a/two.ts'"),
    readModule('core/c/two.ts', "export const flat = () => import('../flat.ts')"),
    readModule('core/flat.ts', "import './c/one.ts'"),
  ]
  expect(cycles(files)).toEqual([])
  expect(crowdedFolders(files, 1)).toEqual({ 'core/a': 2, 'core/c': 2 })
  expect(innerKnots(files, 'core')).toEqual([
    ['a', 'b'],
    ['c', 'flat.ts'],
  ])
})

test('an import out of the kernel is caught, whatever it leads to', () => {
  const texts = [
    "import type { Event } from '../events/event.ts'",
    "export const later = () => import('../events/event.ts')",
    "import { Ajv } from 'ajv'",
    'export const later = (name: string) => import(name)',
  ]
  const caught = texts.map(
    (text) =>
      importsOutside([readModule('core/kernel/bad.ts', text)], 'core/kernel', ['zod']).length,
  )
  expect(caught).toEqual([1, 1, 1, 1])
  const good = "import { z } from 'zod'\nimport './json.ts'"
  expect(importsOutside([readModule('core/kernel/a.ts', good)], 'core/kernel', ['zod'])).toEqual([])
})

test('default exports, barrels and effects at import are caught', () => {
  const judge = (text: string) => {
    const { hasDefaultExport, isBarrel, effects } = readModule('core/x.ts', text)
    return { hasDefaultExport, isBarrel, effects }
  }
  const clean = { hasDefaultExport: false, isBarrel: false, effects: [] }
  expect(judge('export const one = 1')).toEqual(clean)
  expect(judge('export default 1')).toEqual({ ...clean, hasDefaultExport: true })
  expect(judge('const one = 1\nexport { one as default }')).toEqual({
    ...clean,
    hasDefaultExport: true,
  })
  expect(judge("export * from './y.ts'\nexport { z } from './z.ts'")).toEqual({
    ...clean,
    isBarrel: true,
  })
  expect(judge("export { z } from './z.ts'\nexport const one = 1")).toEqual(clean)
  expect(judge('export const one = 1\nconsole.log(one)')).toEqual({ ...clean, effects: [2] })
})
