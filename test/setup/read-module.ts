import { readFileSync, readdirSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { parseSync, Visitor } from 'oxc-parser'

/** One import of a module, whichever of the language's seven ways it was written. */
export interface Import {
  /** What stands between the quotes; `undefined` when it is computed at run time. */
  specifier: string | undefined
  kind: 'static' | 'type' | 'dynamic' | 're-export'
  line: number
}

/** What the architecture rules need to know of one source file. */
export interface SourceModule {
  /** From the root of the tree that was read, with forward slashes: `core/kernel/errors.ts`. */
  path: string
  imports: Import[]
  hasDefaultExport: boolean
  /** Hands on what others define and defines nothing itself. */
  isBarrel: boolean
  /** Lines of statements that do something as soon as the file is imported. */
  effects: number[]
}

/** Every TypeScript file below a folder, parsed by a real parser: a comment is no import. */
export function readModules(root: string): SourceModule[] {
  return readdirSync(root, { recursive: true, encoding: 'utf8' })
    .filter((path) => /\.tsx?$/.test(path) && !path.endsWith('.d.ts'))
    .sort()
    .map((path) => readModule(relative('.', path), readFileSync(join(root, path), 'utf8')))
}

/** The file a relative specifier leads to, from the same root as `from`. */
export function resolveImport(from: string, specifier: string): string {
  return join(dirname(from), specifier)
}

/** Parses one file. A file that does not parse throws: nothing is said about what was not read. */
export function readModule(path: string, text: string): SourceModule {
  const { program, module, errors } = parseSync(path, text)
  const [fault] = errors
  if (fault !== undefined) throw new Error(`${path} does not parse: ${fault.message}`)
  const lineOf = (offset: number) => text.slice(0, offset).split('\n').length
  const statements: readonly { type: string; start: number }[] = program.body
  const exported = module.staticExports.flatMap(({ entries }) => entries)
  return {
    path,
    imports: [...staticImports(program.body, lineOf), ...expressionImports(program, lineOf)],
    hasDefaultExport:
      statements.some(({ type }) => type === 'ExportDefaultDeclaration') ||
      exported.some(({ exportName }) => exportName.name === 'default'),
    isBarrel:
      exported.length > 0 &&
      exported.every((entry) => entry.moduleRequest !== null) &&
      definesNothing(program.body),
    effects: statements.filter(({ type }) => effectful.has(type)).map(({ start }) => lineOf(start)),
  }
}

type Program = ReturnType<typeof parseSync>['program']
type Statement = Program['body'][number]
type LineOf = (offset: number) => number

const effectful = new Set<string>([
  'ExpressionStatement',
  'IfStatement',
  'ForStatement',
  'ForOfStatement',
  'ForInStatement',
  'WhileStatement',
  'DoWhileStatement',
  'TryStatement',
  'ThrowStatement',
  'SwitchStatement',
  'BlockStatement',
])

function definesNothing(body: readonly Statement[]): boolean {
  return body.every(
    (statement) =>
      statement.type === 'ImportDeclaration' ||
      statement.type === 'ExportAllDeclaration' ||
      (statement.type === 'ExportNamedDeclaration' && statement.declaration === null),
  )
}

function staticImports(body: readonly Statement[], lineOf: LineOf): Import[] {
  const imports: Import[] = []
  for (const statement of body) {
    const line = lineOf(statement.start)
    if (statement.type === 'ImportDeclaration') {
      const kind = statement.importKind === 'type' ? 'type' : 'static'
      imports.push({ specifier: statement.source.value, kind, line })
    } else if (
      statement.type === 'ExportAllDeclaration' ||
      statement.type === 'ExportNamedDeclaration'
    ) {
      if (statement.source)
        imports.push({ specifier: statement.source.value, kind: 're-export', line })
    }
  }
  return imports
}

/** `import('x')`, `typeof import('x')`, `import x = require('x')` and `require('x')`, wherever they stand. */
function expressionImports(program: Program, lineOf: LineOf): Import[] {
  const imports: Import[] = []
  const add = (node: { start: number }, kind: Import['kind'], source: unknown) => {
    imports.push({ specifier: literal(source), kind, line: lineOf(node.start) })
  }
  new Visitor({
    ImportExpression: (node) => add(node, 'dynamic', node.source),
    TSImportType: (node) => add(node, 'type', node.source),
    TSExternalModuleReference: (node) => add(node, 'static', node.expression),
    CallExpression: (node) => {
      if (node.callee.type === 'Identifier' && node.callee.name === 'require') {
        add(node, 'dynamic', node.arguments[0])
      }
    },
  }).visit(program)
  return imports
}

function literal(node: unknown): string | undefined {
  const { value, quasis } = (node ?? {}) as {
    value?: unknown
    quasis?: { value: { cooked: string } }[]
  }
  if (typeof value === 'string') return value
  return quasis?.length === 1 ? quasis[0]?.value.cooked : undefined
}
