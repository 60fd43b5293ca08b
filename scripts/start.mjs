// npm start: installs what is missing, then runs the example crib. Further arguments go to `toolcrib dev`.
import { fromProject } from './from-project.mjs'

fromProject(async ({ root, args }) => {
  const { join } = await import('node:path')
  const { createRequire } = await import('node:module')
  const program = join(root, 'bin', 'toolcrib')
  const config = join('examples', 'crib', 'toolcrib.config.ts')
  process.chdir(root)
  const { ensureConsole } = await import('./console.mjs')
  await ensureConsole()
  // In this process where its Node can: one less between the terminal and the server.
  // Whoever names another configuration means that one.
  const isNamed = args.some((arg) => /^--config(=|$)/.test(arg))
  const configured = isNamed ? [] : ['--config', config]
  process.argv = [process.execPath, program, 'dev', ...configured, ...args]
  createRequire(import.meta.url)(program)
})
