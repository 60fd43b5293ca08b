// npm run screenshots [-- FOLDER]: every state of every screen that the tests look at, as pictures.
// npm run screenshots -- --guide [NAME…]: the pictures, or those of these names, that README and guide show.
import { fromProject } from './from-project.mjs'

fromProject(async ({ root, args: [folder = '.tmp/screenshots', ...rest] }) => {
  const { resolve } = await import('node:path')
  const { ensureChromium } = await import('./chromium.mjs')
  const { ensureConsole } = await import('./console.mjs')
  const { runTool } = await import('./tools.mjs')
  process.chdir(root)
  await ensureConsole()
  if ((await ensureChromium()) === undefined) return 1
  if (folder === '--guide') return runTool('console/test/guide-pictures.ts', rest)
  process.env.TOOLCRIB_SCREENSHOTS = resolve(folder)
  const files = rest.length > 0 ? rest : ['console/test']
  const code = await runTool('vitest', ['run', '--project', 'whole', ...files])
  console.log(`The pictures are in ${process.env.TOOLCRIB_SCREENSHOTS}`)
  return code
})
