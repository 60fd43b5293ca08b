import path from 'node:path'
import { isPack } from '../core/define-pack.ts'
import { isTool } from '../core/define-tool.ts'
import { type Issue, ToolError } from '../core/kernel/errors.ts'
import { findNearest } from '../core/patterns/nearest-name.ts'
import { isRecord } from '../core/kernel/json/json-type.ts'
import type { Tool } from '../core/kernel/tool.ts'
import type { CribOptions } from './crib.ts'
import type { OpenCribOptions } from './open-crib.ts'

type Kind = 'text' | 'function' | 'object' | 'switch' | 'own'

/** Every option with what it must be; `own` is looked at by itself. */
const optionKinds: Readonly<Record<keyof CribOptions, Kind>> = {
  config: 'own',
  cwd: 'text',
  data: 'text',
  database: 'text',
  tools: 'own',
  watch: 'switch',
  env: 'object',
  onReload: 'function',
  onWarning: 'function',
  store: 'object',
  http: 'object',
  now: 'function',
}

/** The options of `createCrib`, checked: in JavaScript nobody else has looked at them. */
export function toOpenOptions(options: CribOptions): OpenCribOptions {
  assertOptions(options)
  const { config, tools = [], http: _, ...rest } = options
  const cwd = path.resolve(options.cwd ?? process.cwd())
  const isFile = typeof config === 'string' && /\.(?:[mc]?[jt]s|ya?ml|json)$/.test(config)
  return {
    ...rest,
    cwd: typeof config === 'string' && !isFile ? path.resolve(cwd, config) : cwd,
    data: path.resolve(cwd, options.data ?? '.toolcrib'),
    configFile: isFile ? config : undefined,
    mustHaveConfig: typeof config === 'string',
    config: typeof config === 'object' ? config : undefined,
    folders: tools
      .filter((tool) => typeof tool === 'string')
      .map((folder) => path.resolve(cwd, folder)),
    tools: tools.filter((tool): tool is Tool => typeof tool !== 'string'),
  }
}

function assertOptions(options: unknown): void {
  const issues = isRecord(options)
    ? Object.entries(options).flatMap(([name, value]) => findIssues(name, value))
    : [{ path: '', message: 'must be an object, such as { tools: [tool] }' }]
  if (issues.length === 0) return
  const said = issues.map(({ path, message }) =>
    path === '' ? `the options ${message}` : `${toPlace(path)} ${message}`,
  )
  throw new ToolError('invalid_config', `createCrib: ${said.join('; ')}`, { issues })
}

function findIssues(name: string, value: unknown): Issue[] {
  const kind = Object.hasOwn(optionKinds, name) ? optionKinds[name as keyof CribOptions] : undefined
  const at = (message: string) => [{ path: `/${name}`, message }]
  if (kind === undefined) return at(unknownOption(name))
  if (value === undefined) return []
  if (name === 'tools') return findToolIssues(value)
  if (name === 'config') {
    const isFine = typeof value === 'string' || isRecord(value)
    return isFine ? [] : at('must be a file, a folder, or the configuration itself')
  }
  return isOfKind(value, kind) ? [] : at(`must be ${kindNames[kind]}`)
}

const kindNames: Readonly<Record<Kind, string>> = {
  text: 'a string',
  function: 'a function',
  object: 'an object',
  switch: 'true or false',
  own: 'something else',
}

function isOfKind(value: unknown, kind: Kind): boolean {
  const types: Record<Kind, string> = {
    text: 'string',
    function: 'function',
    object: 'object',
    switch: 'boolean',
    own: 'undefined',
  }
  return value !== null && typeof value === types[kind]
}

function unknownOption(name: string): string {
  const nearest = findNearest(name, Object.keys(optionKinds))
  const known = Object.keys(optionKinds).join(', ')
  return nearest === undefined
    ? `is not an option. The options are ${known}`
    : `is not an option; did you mean ${nearest}?`
}

function findToolIssues(tools: unknown): Issue[] {
  if (!Array.isArray(tools)) {
    const way = isTool(tools)
      ? 'write tools: [tool]'
      : 'give folders and tools, such as [tool, "./tools"]'
    return [{ path: '/tools', message: `must be a list: ${way}` }]
  }
  return tools.flatMap((tool: unknown, index) => {
    if (typeof tool === 'string' || isTool(tool)) return []
    const message = isPack(tool)
      ? 'is a pack; spread its tools into the list: ...pack.tools'
      : 'must be a folder, or what defineTool returns'
    return [{ path: `/tools/${index}`, message }]
  })
}

/** `/tools/0` as code has it: `tools[0]`. */
function toPlace(pointer: string): string {
  return pointer.slice(1).replaceAll(/\/(\d+)/g, '[$1]')
}
