import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { completeLockfile, lockfileFaults } from './lockfile.mjs'

const incomplete = {
  name: 'x',
  lockfileVersion: 3,
  packages: {
    '': { name: 'x' },
    'node_modules/fast': {
      version: '2.0.0',
      resolved: 'https://registry.example/fast-2.0.0.tgz',
      dev: true,
      optionalDependencies: {
        '@fast/binding-darwin-arm64': '2.0.0',
        '@fast/binding-linux-x64-gnu': '2.0.0',
        '@fast/binding-linux-x64-musl': '2.0.0',
      },
    },
    'node_modules/fast/node_modules/@fast/binding-linux-x64-gnu': { version: '2.0.0' },
  },
}

test('the lockfile can be installed on every platform and names no registry', () => {
  const lock = JSON.parse(readFileSync(new URL('../package-lock.json', import.meta.url), 'utf8'))
  expect(Object.keys(lock.packages).length).toBeGreaterThan(100)
  expect(lockfileFaults(lock)).toEqual([])
})

test('each platform that is missing and each registry is a fault', () => {
  expect(lockfileFaults(incomplete)).toEqual([
    'node_modules/@fast/binding-darwin-arm64 is missing, though node_modules/fast names it',
    'node_modules/@fast/binding-linux-x64-musl is missing, though node_modules/fast names it',
    'node_modules/fast names a registry',
  ])
})

test('a completed lockfile has what was missing by exact version and platform, and no faults', () => {
  const complete = JSON.parse(JSON.stringify(completeLockfile(incomplete)))
  expect(lockfileFaults(complete)).toEqual([])
  expect(complete.packages['node_modules/@fast/binding-linux-x64-musl']).toEqual({
    version: '2.0.0',
    cpu: ['x64'],
    dev: true,
    libc: ['musl'],
    optional: true,
    os: ['linux'],
  })
  expect(complete.packages['node_modules/@fast/binding-darwin-arm64']).toEqual({
    version: '2.0.0',
    cpu: ['arm64'],
    dev: true,
    optional: true,
    os: ['darwin'],
  })
  expect(completeLockfile(complete)).toEqual(complete)
})

test('a package whose name tells no platform is not guessed', () => {
  const packages = {
    'node_modules/a': { version: '1.0.0', optionalDependencies: { fsevents: '2' } },
  }
  expect(() => completeLockfile({ packages })).toThrow(
    'node_modules/fsevents does not tell its platform: add it to package-lock.json by hand',
  )
})
