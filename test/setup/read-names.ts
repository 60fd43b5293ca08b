import { readFileSync, readdirSync } from 'node:fs'
import path from 'node:path'
import { parseSync } from 'oxc-parser'

/** A name that a file exports, or that it has itself. */
export interface NamedThing {
  name: string
  kind: 'type' | 'value' | 'file'
  file: string
}

/** The names that TypeScript files below a folder define and export, and those of the files. */
export function readNames(root: string): NamedThing[] {
  return readdirSync(root, { recursive: true, encoding: 'utf8' })
    .filter((file) => /\.tsx?$/.test(file) && !/\.test\.tsx?$|\.d\.ts$/.test(file))
    .sort()
    .flatMap((file) => namesOf(file, readFileSync(path.join(root, file), 'utf8')))
}

/** The same for one file. What it hands on from others is not its own. */
export function namesOf(file: string, text: string): NamedThing[] {
  const { program, errors } = parseSync(file, text)
  const [fault] = errors
  if (fault !== undefined) throw new Error(`${file} does not parse: ${fault.message}`)
  const name = path.basename(file).replace(/\.\w+$/, '')
  const own: NamedThing = { name, kind: 'file', file }
  const declared = program.body.flatMap((statement) =>
    statement.type === 'ExportNamedDeclaration' && statement.declaration !== null
      ? toNames(statement.declaration, file)
      : [],
  )
  return [own, ...declared]
}

interface Declaration {
  type: string
  id?: unknown
  declarations?: readonly { id: unknown }[]
}

const typeDeclarations = ['TSInterfaceDeclaration', 'TSTypeAliasDeclaration', 'ClassDeclaration']

function toNames({ type, id, declarations = [] }: Declaration, file: string): NamedThing[] {
  const kind = typeDeclarations.includes(type) ? 'type' : 'value'
  return [id, ...declarations.map((one) => one.id)].flatMap((one) => {
    const name = (one as { name?: unknown } | null | undefined)?.name
    return typeof name === 'string' ? [{ name, kind, file } as const] : []
  })
}

/** `createFaultProxy` and `fault-proxy` as words in lower case and singular. */
export function wordsOf(name: string): string[] {
  const words = name.match(/[A-Z]+(?![a-z])|[A-Z]?[a-z]+|\d+/g) ?? []
  return words.map((word) => word.toLowerCase().replace(/(?<=[^s])s$/, ''))
}
