/**
 * Faults of a lockfile that `npm install` writes without a word: packages for other platforms that
 * the registry could not give at that moment are left out (and `npm ci` then refuses everywhere),
 * and `resolved` entries tie every clone to the registry of whoever wrote the file.
 *
 * @param {{ packages: Record<string, any> }} lock
 * @returns {string[]} one sentence for each fault
 */
export function lockfileFaults(lock) {
  const faults = missingPlatforms(lock).map(
    ({ path, wantedBy }) => `${path} is missing, though ${wantedBy} names it`,
  )
  for (const [path, entry] of Object.entries(lock.packages)) {
    if (entry.resolved !== undefined && entry.link !== true) faults.push(`${path} names a registry`)
  }
  return faults
}

/**
 * Adds what is missing by exact version, with the platforms the name tells. Such an entry has no
 * checksum: npm takes it only on a machine of that platform.
 *
 * @param {{ packages: Record<string, any> }} lock
 * @returns {{ packages: Record<string, any> }}
 */
export function completeLockfile(lock) {
  const packages = { ...lock.packages }
  for (const { path, version, parent } of missingPlatforms(lock)) {
    const platform = platformOf(path)
    // In npm's own order of keys, so that the next `npm install` changes nothing.
    packages[path] = {
      version,
      cpu: platform.cpu,
      dev: parent.dev,
      libc: platform.libc,
      optional: true,
      os: platform.os,
      peer: parent.peer,
    }
  }
  for (const path of Object.keys(packages)) {
    if (packages[path].link === true) continue
    const { resolved: _registry, ...entry } = packages[path]
    packages[path] = entry
  }
  const sorted = Object.entries(packages).sort(([a], [b]) => a.localeCompare(b, 'en'))
  return { ...lock, packages: Object.fromEntries(sorted) }
}

function missingPlatforms(lock) {
  const missing = []
  for (const [wantedBy, parent] of Object.entries(lock.packages)) {
    for (const [name, version] of Object.entries(parent.optionalDependencies ?? {})) {
      if (isLocked(lock, wantedBy, name)) continue
      missing.push({ path: `node_modules/${name}`, version, parent, wantedBy })
    }
  }
  return missing
}

/** Node's lookup: beside the package that wants it, then in every folder above. */
function isLocked(lock, wantedBy, name) {
  for (let folder = wantedBy; ; folder = parentFolder(folder)) {
    const path = folder === '' ? `node_modules/${name}` : `${folder}/node_modules/${name}`
    if (lock.packages[path] !== undefined) return true
    if (folder === '') return false
  }
}

function parentFolder(folder) {
  const at = folder.lastIndexOf('/node_modules/')
  return at < 0 ? '' : folder.slice(0, at)
}

const systems = [
  'android',
  'darwin',
  'freebsd',
  'linux',
  'netbsd',
  'openbsd',
  'openharmony',
  'sunos',
  'win32',
]
const processors = [
  'arm64',
  'arm',
  'ia32',
  'loong64',
  'mips64el',
  'ppc64',
  'riscv64',
  's390x',
  'wasm32',
  'x64',
]

function platformOf(path) {
  const words = path.slice(path.lastIndexOf('/') + 1).split('-')
  const os = words.find((word) => systems.includes(word))
  const cpu = words.find((word) => processors.includes(word))
  if (cpu === undefined || (os === undefined && cpu !== 'wasm32')) {
    throw new Error(`${path} does not tell its platform: add it to package-lock.json by hand`)
  }
  const libc = words.includes('musl') ? 'musl' : words.includes('gnu') ? 'glibc' : undefined
  return {
    cpu: [cpu],
    libc: libc !== undefined && os === 'linux' ? [libc] : undefined,
    os: os === undefined ? undefined : [os],
  }
}
