/**
 * Makes `import … from 'toolcrib'` mean this checkout's source for a plain `node`, as it does for a
 * running Toolcrib and in the tests: `node --import ./examples/crib/from-source.ts <file>`. With the
 * package installed, nobody needs it.
 */
import { registerModuleHooks } from '../../src/app/loader/module-hooks.ts'

registerModuleHooks()
