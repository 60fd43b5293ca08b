import { execFileSync } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { brokenLinks } from './broken-links.mjs'
import { projectRoot } from './project-root.mjs'

/** Names that stand for anybody, or belong to a tool. */
const anybody = 'alice|app|bob|linuxbrew|me|name|node|someone|toolcrib|user|you'

const homePath = new RegExp(
  `(?:/home/|/Users/|\\\\Users\\\\)(?!(?:${anybody})\\b)[a-z][\\w.-]*[/\\\\]`,
  'i',
)

const ownPath = new RegExp(`(?<![\\w./-])${projectRoot.replaceAll(/[^\w/]/g, '\\$&')}(?![\\w-])`)

const inlineException = /(?:oxlint|eslint)-disable|@ts-(?:ignore|nocheck)/

test('no file names a home folder or the place of this checkout', () => {
  // A checkout right below the root (`/app`) has a name that any text may hold.
  const patterns = projectRoot.split('/').length > 2 ? [homePath, ownPath] : [homePath]
  expect(linesThatMatch(projectFiles(), patterns)).toEqual([])
})

test('the licences of everything that the console bundles go along with it', () => {
  const text = readFileSync(join(projectRoot, 'console', 'dist', 'THIRD-PARTY-LICENSES.md'), 'utf8')
  for (const name of ['react-dom', '@mantine/core', '@codemirror/view', 'recharts']) {
    expect(text).toMatch(new RegExp(`^## ${name} - .*\\(MIT\\)$`, 'm'))
  }
  expect(text.match(/^## /gm)?.length).toBeGreaterThan(100)
  expect(text).toMatch(/^## @fontsource-variable\/inter - .*\(OFL-1\.1\)$/m)
  expect(text).toContain('SIL OPEN FONT LICENSE')
})

test('whoever finds the package finds its source, its changes and whom to tell of a fault', () => {
  const manifest = JSON.parse(readFileSync(join(projectRoot, 'package.json'), 'utf8')) as {
    repository: { url: string }
    homepage: string
    bugs: string
    files: string[]
    dependencies: Record<string, string>
  }
  const { repository, homepage, bugs, files, dependencies } = manifest
  for (const url of [repository.url, homepage, bugs]) expect(url).toMatch(/https:\/\/[\w.]+\//)
  expect(files).toEqual(expect.arrayContaining(['CHANGELOG.md', 'SECURITY.md', 'docs']))
  const { pages } = brokenLinks(projectRoot)
  const guides = ['upgrade', 'compare', 'platforms'].map((name) => `docs/guide/${name}.md`)
  expect(pages).toEqual(expect.arrayContaining(['CHANGELOG.md', 'SECURITY.md', ...guides]))
  // Nothing is installed for others that no file here imports; knip looks for the rest.
  expect(Object.keys(dependencies).filter((name) => name.startsWith('@opentelemetry/'))).toEqual([])
})

test('no file makes an exception to the linter or the compiler for itself', () => {
  const sources = projectFiles().filter((file) => /\.(?:ts|mjs)$/.test(file))
  expect(linesThatMatch(sources, [inlineException])).toEqual([])
})

test('the patterns find what they look for, and leave placeholders alone', () => {
  const homes = ['/home/jane/x', 'C:\\Users\\Jane\\x', 'see /Users/j.doe/code']
  expect(homes.filter((text) => !homePath.test(text))).toEqual([])
  expect(
    ['/home/user/x', '/home/linuxbrew/.linuxbrew', 'src/home/page.ts'].filter((text) =>
      homePath.test(text),
    ),
  ).toEqual([])
  expect(ownPath.test(`at ${projectRoot}/src/a.ts`)).toBe(true)
  expect(inlineException.test('// oxlint-disable-next-line')).toBe(true)
})

test('every link of README, and of the pages it leads to, has a target', () => {
  const { pages, broken } = brokenLinks(projectRoot)
  expect(broken).toEqual([])
  expect(pages.length).toBeGreaterThan(30)
})

test('a link to a missing page or heading is found', () => {
  const folder = mkdtempSync(join(tmpdir(), 'links-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const links = ['[a](#what-it-does)', '[b](b.md#no-such)', '[c](c.md)', '[d](b.md#it-is-b)']
  writeFileSync(join(folder, 'README.md'), `# A\n## What \`it\` does?\n${links.join(' ')}\n`)
  writeFileSync(join(folder, 'b.md'), '# It is: B\n')
  expect(brokenLinks(folder)).toEqual({
    pages: ['README.md', 'b.md'],
    broken: ['README.md: b.md#no-such', 'README.md: c.md'],
  })
})

/** What git has or would add; files that others are about to remove may be gone already. */
function projectFiles(): string[] {
  // A checkout may belong to somebody else, as in a container; git would refuse to look.
  const args = [
    '-c',
    `safe.directory=${projectRoot}`,
    'ls-files',
    '--cached',
    '--others',
    '--exclude-standard',
  ]
  const files = execFileSync('git', args, { cwd: projectRoot, encoding: 'utf8' }).trim().split('\n')
  expect(files.length).toBeGreaterThan(50)
  return files.filter((file) => existsSync(join(projectRoot, file)))
}

function linesThatMatch(files: string[], patterns: RegExp[]): string[] {
  return files
    .filter((file) => file !== 'scripts/repository.test.ts')
    .flatMap((file) => {
      const lines = readFileSync(join(projectRoot, file), 'utf8').split('\n')
      return lines.flatMap((line, index) =>
        patterns.some((pattern) => pattern.test(line))
          ? [`${file}:${index + 1}: ${line.trim().slice(0, 100)}`]
          : [],
      )
    })
}
