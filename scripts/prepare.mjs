// npm's "dependencies": after an install that changed node_modules of a checkout, and never where Toolcrib
// is somebody else's dependency. Initialises a database folder once, so that the first start of the
// embedded store takes a second instead of four or more.
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { modernNode } from './own-node.mjs'
import { projectRoot } from './project-root.mjs'
import { runCommand } from './run-command.mjs'

const url = pathToFileURL(join(projectRoot, 'src/store/engine/pglite/prebuilt-folder.ts')).href
const program = `(await import(${JSON.stringify(url)})).ensurePrebuiltFolder()`
const { code, output } = await runCommand(
  modernNode(),
  ['--input-type=module', '--eval', `await ${program}`],
  { cwd: projectRoot, timeoutMs: 120_000 },
)
// Never a reason for an install to fail: without the archive the first start only takes longer.
if (code !== 0) console.error(`The embedded store could not be prepared: ${output.trim()}`)
