// npm run release:check: builds, and looks at the package as those who install it will. Needs the registry.
import { fromProject } from './from-project.mjs'

fromProject(async ({ root }) => {
  const { buildPackage } = await import('./build-package.mjs')
  const { runTool } = await import('./tools.mjs')
  const { tryPackage } = await import('./try-package.mjs')
  process.chdir(root)
  const steps = [
    () => buildPackage(),
    () => runTool('publint', ['--strict']),
    // ESM only: that require() of it needs a modern Node is known.
    () => runTool('attw', ['--pack', '.', '--profile', 'esm-only']),
  ]
  for (const step of steps) {
    const code = await step()
    if (code !== 0) return code
  }
  await tryPackage()
  console.log('The package was packed, installed into an empty folder and used there.')
})
