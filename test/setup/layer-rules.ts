import { dirname } from 'node:path'
import { resolveImport } from './read-module.ts'
import type { Import, SourceModule } from './read-module.ts'

/** Which layers each layer may import, beside itself. */
export type LayerTable = Readonly<Record<string, readonly string[]>>

/** Packages that only these folders may import: a driver has one home. */
export type PackageHomes = Readonly<Record<string, readonly string[]>>

/** The one file outside of src that may be imported: app says which version this is. */
const manifest = '../package.json'

/** Imports that point the wrong way, leave the tree, or lead nowhere. */
export function wrongDirections(modules: readonly SourceModule[], table: LayerTable): string[] {
  const known = new Set(modules.map(({ path }) => path))
  return eachImport(modules, ({ path }, { specifier, line }) => {
    if (specifier === undefined || !specifier.startsWith('.')) return undefined
    const target = resolveImport(path, specifier)
    if (target === manifest && layerOf(path) === 'app') return undefined
    if (!known.has(target)) return `${path}:${line} imports ${specifier}, which does not exist`
    const from = layerOf(path)
    const to = layerOf(target)
    if (from === to || table[from]?.includes(to)) return undefined
    return `${path}:${line} imports ${target}, but ${from} may not know ${to}`
  })
}

/** Packages and built-in modules where they do not belong. */
export function strayPackages(
  modules: readonly SourceModule[],
  rules: { coreMayUse: readonly string[]; homes: PackageHomes; typeHomes?: PackageHomes },
): string[] {
  return eachImport(modules, ({ path }, { specifier, line, kind }) => {
    const isCore = layerOf(path) === 'core'
    if (specifier === undefined) {
      return isCore ? `${path}:${line} imports what it computes: core must be readable` : undefined
    }
    if (specifier.startsWith('.')) return undefined
    const name = packageName(specifier)
    if (isCore && !rules.coreMayUse.includes(name))
      return `${path}:${line} imports ${specifier}: core is pure`
    const homes = rules.homes[name]
    if (homes === undefined || homes.some((home) => isIn(path, home))) return undefined
    if (kind === 'type' && rules.typeHomes?.[name]?.some((home) => isIn(path, home))) {
      return undefined
    }
    return `${path}:${line} imports ${specifier}, which belongs in ${homes.join(', ')}`
  })
}

function isIn(path: string, home: string): boolean {
  return path.startsWith(`${home}/`) || layerOf(path) === home
}

/** Groups of files that import each other, type imports included, each as one sorted line. */
export function cycles(modules: readonly SourceModule[]): string[] {
  return knots(new Map(modules.map((module) => [module.path, targetsOf(module)])))
}

function knots(graph: ReadonlyMap<string, readonly string[]>): string[] {
  return stronglyConnected(graph)
    .filter((group) => group.length > 1 || graph.get(group[0] ?? '')?.includes(group[0] ?? ''))
    .map((group) => group.sort().join(' ⇄ '))
    .sort()
}

/** Top folders, and files beside them, that import each other, each group as one sorted line. */
export function folderCycles(modules: readonly SourceModule[]): string[] {
  const folderOf = (path: string) => path.split('/')[0] ?? path
  const graph = new Map<string, string[]>()
  for (const module of modules) {
    const folder = folderOf(module.path)
    const others = targetsOf(module)
      .map(folderOf)
      .filter((target) => target !== folder)
    graph.set(folder, [...(graph.get(folder) ?? []), ...others])
  }
  return knots(graph)
}

/** Folders and flat files inside one layer that import each other, each group as a sorted list. */
export function innerKnots(modules: readonly SourceModule[], layer: string): string[][] {
  const inside = modules
    .filter(({ path }) => path.startsWith(`${layer}/`))
    .map((module) => ({ ...module, path: module.path.slice(layer.length + 1) }))
  return folderCycles(inside).map((line) => line.split(' ⇄ '))
}

/** Imports from the store of one feature into that of another: they meet in operations and lists alone. */
export function crossedStores(modules: readonly SourceModule[]): string[] {
  return eachImport(modules, ({ path }, { specifier, line }) => {
    const from = storeOwner(path)
    if (from === undefined || !specifier?.startsWith('.')) return undefined
    const target = resolveImport(path, specifier)
    const to = storeOwner(target)
    return to === undefined || to === from ? undefined : `${path}:${line} imports ${target}`
  })
}

function storeOwner(path: string): string | undefined {
  return /^features\/(?<noun>[\w-]+)\/store(?:\.ts$|\/)/.exec(path)?.groups?.['noun']
}

/** What a folder that knows nothing else imports all the same; of packages it may use these. */
export function importsOutside(
  modules: readonly SourceModule[],
  folder: string,
  packages: readonly string[],
): string[] {
  const inside = modules.filter(({ path }) => path.startsWith(`${folder}/`))
  return eachImport(inside, ({ path }, { specifier, line }) => {
    if (specifier !== undefined && packages.includes(specifier)) return undefined
    const target = specifier?.startsWith('.') ? resolveImport(path, specifier) : undefined
    if (target?.startsWith(`${folder}/`)) return undefined
    return `${path}:${line} imports ${specifier ?? 'what it computes'} from outside`
  })
}

/** Folders with more files than a reader can take in, with their counts. */
export function crowdedFolders(
  modules: readonly SourceModule[],
  most: number,
): Record<string, number> {
  const counts = new Map<string, number>()
  for (const { path } of modules) counts.set(dirname(path), (counts.get(dirname(path)) ?? 0) + 1)
  return Object.fromEntries([...counts].filter(([, count]) => count > most))
}

/** The first folder of a path below src: its layer. In a feature, the role of a file counts as one. */
export function layerOf(path: string): string {
  // Agents use it too, so it lies below them and the other doors.
  if (path.startsWith('doors/sdk/')) return 'doors/sdk'
  const layer = path.slice(0, path.indexOf('/'))
  if (layer !== 'features') return layer
  return featureRoles.find(([pattern]) => pattern.test(path))?.[1] ?? layer
}

const featureRoles: readonly (readonly [RegExp, string])[] = [
  [/^features\/(?:declarations|event-types|[\w-]+\/(?:tables|events))\.ts$/, 'declarations'],
  [/^features\/[\w-]+\/store(?:\.ts$|\/)/, 'feature stores'],
  [/^features\/(?:feature|features|open-stores|[\w-]+\/feature)\.ts$/, 'feature lists'],
]

/** `@scope/name/sub` → `@scope/name`; every built-in module is `node:*`. */
function packageName(specifier: string): string {
  if (specifier.startsWith('node:')) return 'node:*'
  return specifier.split('/', specifier.startsWith('@') ? 2 : 1).join('/')
}

function targetsOf({ path, imports }: SourceModule): string[] {
  return imports.flatMap(({ specifier }) =>
    specifier?.startsWith('.') ? [resolveImport(path, specifier)] : [],
  )
}

function eachImport(
  modules: readonly SourceModule[],
  judge: (module: SourceModule, imported: Import) => string | undefined,
): string[] {
  return modules.flatMap((module) =>
    module.imports
      .map((imported) => judge(module, imported))
      .filter((fault) => fault !== undefined),
  )
}

/** Tarjan's algorithm: one pass, whatever the size. */
function stronglyConnected(graph: ReadonlyMap<string, readonly string[]>): string[][] {
  const order = new Map<string, number>()
  const low = new Map<string, number>()
  const open: string[] = []
  const groups: string[][] = []
  const lowest = (node: string, value: number) =>
    low.set(node, Math.min(low.get(node) ?? value, value))
  const visit = (node: string): void => {
    order.set(node, order.size)
    lowest(node, order.size - 1)
    open.push(node)
    for (const next of graph.get(node) ?? []) {
      if (!order.has(next)) visit(next)
      if (open.includes(next)) lowest(node, low.get(next) ?? 0)
    }
    if (low.get(node) === order.get(node)) groups.push(open.splice(open.indexOf(node)))
  }
  for (const node of graph.keys()) if (!order.has(node)) visit(node)
  return groups
}
