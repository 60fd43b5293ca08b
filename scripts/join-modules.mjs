// node scripts/join-modules.mjs <dist>: the modules that tsc wrote become few files. Every file that
// is loaded costs a start some 0.4 ms, and there are about a thousand. Packages stay where they are.
import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join, relative, resolve, sep } from 'node:path'
import { build } from 'vite'

const dist = resolve(process.argv[2] ?? 'dist')
const joined = `${dist}.joined`
/** What is imported by path: the doors of the package, the command, and what workers run. */
const entries = [
  'app/index',
  'app/main',
  'app/tool-worker',
  'app/apis/api-worker',
  'host/pages/page-worker',
  'host/code/code-worker',
  'doors/sdk/index',
  'client/index',
  'define/index',
  'testing/index',
]

await build({
  root: dist,
  configFile: false,
  logLevel: 'warn',
  plugins: [keepPlaces()],
  build: {
    ssr: true,
    target: 'esnext',
    minify: false,
    outDir: joined,
    emptyOutDir: true,
    rolldownOptions: {
      input: Object.fromEntries(entries.map((name) => [name, join(dist, `${name}.js`)])),
      external: (id) => !/^[./]|^[a-z]:/i.test(id),
      output: {
        // All of them two levels down: see keepPlaces.
        entryFileNames: '[name].js',
        chunkFileNames: 'parts/[name]-[hash].js',
        keepNames: true,
      },
    },
  },
})
for (const file of filesIn(dist)) if (file.endsWith('.js')) rmSync(join(dist, file))
for (const file of filesIn(joined)) {
  mkdirSync(dirname(join(dist, file)), { recursive: true })
  renameSync(join(joined, file), join(dist, file))
  if (/rolldown-runtime-[^/]*\.js$/.test(file)) dropIdleImport(join(dist, file))
}
rmSync(joined, { recursive: true })

/**
 * A module that finds files by where it is goes on finding them: it is told the place it had, from
 * that of the file it is in now.
 */
function keepPlaces() {
  return {
    name: 'keep-places',
    transform(code, id) {
      if (!code.includes('import.meta.url')) return null
      const place = `../${relative(dist, id).split(sep).join('/')}`
      const url = `new URL(${JSON.stringify(place)}, import.meta.url).href`
      return { code: code.replaceAll('import.meta.url', url), map: null }
    },
  }
}

/**
 * The bundler leaves an import of node:module in the part that all others share, and uses nothing of
 * it. Browsers, which toolcrib/define and toolcrib/client are for, have no such module.
 */
function dropIdleImport(file) {
  const text = readFileSync(file, 'utf8')
  writeFileSync(file, text.replace(/^import "node:module";\n/, ''))
}

function filesIn(folder) {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => relative(folder, join(entry.parentPath, entry.name)))
}
