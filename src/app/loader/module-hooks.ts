import { type ModuleHooks, registerHooks } from 'node:module'
import { fileURLToPath } from 'node:url'
import { ownValue } from '../../core/kernel/json/json-type.ts'

/** The files that a module imports, without those of packages. */
const importedBy = new Map<string, Set<string>>()
let registered: ModuleHooks | undefined

/** The entry points of our package, by the names that users import. */
const ownModules: Readonly<Record<string, string>> = {
  toolcrib: new URL(siblingName('../index'), import.meta.url).href,
  'toolcrib/ai-sdk': new URL(siblingName('../../doors/sdk/index'), import.meta.url).href,
  'toolcrib/client': new URL(siblingName('../../client/index'), import.meta.url).href,
  'toolcrib/define': new URL(siblingName('../../define/index'), import.meta.url).href,
  'toolcrib/testing': new URL(siblingName('../../testing/index'), import.meta.url).href,
}

/**
 * Maps `toolcrib` and `zod` to the running copies for every file outside node_modules, with or
 * without a node_modules beside it: two copies of zod would not recognize each other's schemas.
 * Also passes the reload number from a tool's file to its imports, so that changes there are
 * loaded. Process-wide and safe to repeat.
 */
export function registerModuleHooks(): void {
  registered ??= registerHooks({
    resolve(specifier, context, nextResolve) {
      const parent = context.parentURL
      if (parent === undefined || parent.includes('/node_modules/'))
        return nextResolve(specifier, context)
      const own = ownValue(ownModules, specifier)
      if (own !== undefined) return { url: own, shortCircuit: true }
      if (specifier === 'zod' || specifier.startsWith('zod/')) {
        return nextResolve(specifier, { ...context, parentURL: import.meta.url })
      }
      return withReload(parent, nextResolve(specifier, context))
    },
    load(url, context, nextLoad) {
      const format = moduleFormat(url)
      return nextLoad(url, format === undefined ? context : { ...context, format })
    },
  })
}

/** For tests that run a copy of the source: its names must not outlive it in this process. */
export function removeModuleHooks(): void {
  registered?.deregister()
  registered = undefined
}

/**
 * Tools and configuration are ES modules, even if the package.json above them sets "commonjs", as
 * `npm init -y` does. Their imports keep their own format, except TypeScript, which runs as ES
 * modules only.
 */
function moduleFormat(url: string): string | undefined {
  const { pathname, searchParams } = new URL(url)
  if (!searchParams.has('crib')) return undefined
  if (pathname.endsWith('.ts')) return 'module-typescript'
  return /(?:\.tool|\/toolcrib\.config)\.js$/.test(pathname) ? 'module' : undefined
}

/** All files that this one imports, directly or indirectly, and itself. */
export function filesBehind(file: string): Set<string> {
  const seen = new Set<string>()
  const open = [file]
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    if (seen.has(next)) continue
    seen.add(next)
    open.push(...(importedBy.get(next) ?? []))
  }
  return seen
}

function withReload<T extends { url: string }>(parent: string, resolved: T): T {
  const reload = new URL(parent).searchParams.get('crib')
  const isOwnCode = resolved.url.startsWith('file:') && !resolved.url.includes('/node_modules/')
  if (reload === null || !isOwnCode) return resolved
  const url = new URL(resolved.url)
  noteImport(fileURLToPath(parent), fileURLToPath(url))
  url.searchParams.set('crib', reload)
  return { ...resolved, url: url.href }
}

function noteImport(parent: string, child: string): void {
  const children = importedBy.get(parent) ?? new Set()
  importedBy.set(parent, children.add(child))
}

/** Our own files end in .ts in a checkout and in .js once built. */
function siblingName(stem: string): string {
  return stem + (import.meta.url.endsWith('.ts') ? '.ts' : '.js')
}
