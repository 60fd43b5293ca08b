// node scripts/run.mjs <tool of node_modules | file of the project> [arguments], on an installed checkout.
import { fromProject } from './from-project.mjs'

fromProject(async ({ root, args: [tool = '', ...args] }) => {
  const { runTool } = await import('./tools.mjs')
  process.chdir(root)
  return runTool(tool, args)
})
