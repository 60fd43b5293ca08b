import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { isBuiltin } from 'node:module'
import { join } from 'node:path'
import vm from 'node:vm'
import { build } from 'vite'

const page = `import { connectCrib } from 'toolcrib/client'
import { defineTool, z } from 'toolcrib/define'
const add = defineTool({
  name: 'sum.add', description: 'Add.', effect: 'read',
  inputSchema: z.object({ a: z.number() }), execute: ({ a }) => a + 1,
})
const crib = connectCrib({ url: 'http://crib.example', key: 'crib_x' })
export default [add.contract.name, add.parseInput({ a: 'b' }).issues[0].path, typeof crib.call]
`

/**
 * Bundles the light entries of the installed package for a page, and runs the bundle where there is
 * nothing of Node.
 *
 * @param {string} folder where the package is installed
 */
export async function tryBundle(folder) {
  const entry = join(folder, 'page.js')
  writeFileSync(entry, page)
  const builtins = []
  const noteBuiltins = {
    name: 'note-builtins',
    enforce: 'pre',
    resolveId(id) {
      if (isBuiltin(id)) builtins.push(id)
      return null
    },
  }
  const [{ output }] = await build({
    root: folder,
    configFile: false,
    logLevel: 'silent',
    plugins: [noteBuiltins],
    build: { write: false, lib: { entry, formats: ['iife'], name: 'page' } },
  })
  assert.deepEqual(builtins, [])
  const code = output.map((chunk) => chunk.code ?? '').join('\n')
  const globals = { URL, TextEncoder, TextDecoder, AbortController, setTimeout, clearTimeout }
  const said = vm.runInContext(`${code}\nJSON.stringify(page)`, vm.createContext(globals))
  assert.deepEqual(JSON.parse(said), ['sum.add', '/a', 'function'])
}
