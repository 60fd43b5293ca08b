// Run after every `npm install <package>`: see lockfile.mjs for what npm leaves out.
import { readFileSync, writeFileSync } from 'node:fs'
import { completeLockfile, lockfileFaults } from './lockfile.mjs'

const file = new URL('../package-lock.json', import.meta.url)
const lock = JSON.parse(readFileSync(file, 'utf8'))
const faults = lockfileFaults(lock)
if (faults.length > 0) writeFileSync(file, `${JSON.stringify(completeLockfile(lock), null, 2)}\n`)
console.log(
  faults.length > 0
    ? `package-lock.json: ${faults.length} entries mended`
    : 'package-lock.json is complete',
)
