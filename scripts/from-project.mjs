/**
 * Runs a command of the project on an installed checkout. Imports nothing itself, so that a Node
 * too old for the rest of the scripts still gets to say so.
 *
 * @param {(project: { root: string, args: string[] }) => Promise<number | void>} command
 * @param {() => Promise<unknown>} [beside] what needs no packages, and is done while they are installed
 */
export function fromProject(command, beside = async () => {}) {
  if (Number(process.versions.node.split('.')[0]) < 20) {
    console.error(
      `Toolcrib needs Node 20 or later to set itself up, and this is ${process.versions.node}.`,
    )
    console.error(
      'Install a newer Node (nodejs.org, nvm, your package manager), then run the command again.',
    )
    process.exit(1)
  }
  if (process.env.npm_lifecycle_event) endWithParent()
  void run(command, beside)
}

/**
 * npm hands SIGTERM to the shell between us only, which dies of it and leaves us behind: a server
 * nobody can find, holding its data folder. So the shell's end is our SIGTERM.
 */
function endWithParent() {
  const parent = process.ppid
  const watch = setInterval(() => {
    if (process.ppid === parent) return
    clearInterval(watch)
    process.kill(process.pid, 'SIGTERM')
  }, 300)
  watch.unref()
}

async function run(command, beside) {
  try {
    const { ensureInstalled } = await import('./install.mjs')
    const { projectRoot } = await import('./project-root.mjs')
    await Promise.all([ensureInstalled(), beside()])
    const code = await command({ root: projectRoot, args: process.argv.slice(2) })
    if (code !== undefined) process.exitCode = code
  } catch (error) {
    console.error(process.env.DEBUG ? error.stack : error.message)
    process.exitCode = 1
  }
}
