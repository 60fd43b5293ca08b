import { existsSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { seccompFilter } from './seccomp-filter.ts'
import { inspectedSyscalls, refusedSyscalls, type SandboxMachine } from './syscalls.ts'

interface SystemCall {
  number: number
  args?: readonly number[]
  architecture?: number
}

const machines = { x64: 0xc000003e, arm64: 0xc00000b7 } as const
const allowed = 'allowed'

/** The verdict of the kernel: runs the bytes of the filter as it does. */
function decide(
  filter: Uint8Array,
  { number, args = [], architecture = machines.x64 }: SystemCall,
) {
  const view = new DataView(filter.buffer)
  const input = new DataView(new ArrayBuffer(64))
  input.setUint32(0, number, true)
  input.setUint32(4, architecture, true)
  for (const [index, arg] of args.entries()) {
    input.setBigUint64(16 + index * 8, BigInt.asUintN(64, BigInt(arg)), true)
  }
  let accumulator = 0
  for (let at = 0; at * 8 < filter.length; at++) {
    const code = view.getUint16(at * 8, true)
    const value = view.getUint32(at * 8 + 4, true)
    if (code === 0x20) accumulator = input.getUint32(value, true)
    else if (code === 0x06) return toVerdict(value)
    else {
      const isTrue =
        code === 0x15
          ? accumulator === value
          : code === 0x35
            ? accumulator >= value
            : (accumulator & value) !== 0
      at += view.getUint8(at * 8 + (isTrue ? 2 : 3))
    }
  }
  throw new Error('The filter does not end')
}

function toVerdict(value: number): string | number {
  if (value === 0x7fff0000) return allowed
  return value === 0x80000000 ? 'killed' : value & 0xffff
}

const closed = seccompFilter('x64', { hasNetwork: false })
const open = seccompFilter('x64', { hasNetwork: true })

test('ordinary calls are allowed, and every call on the list is refused', () => {
  for (const number of [0, 1, 2, 3, 57, 59, 61, 231, 257]) {
    expect(decide(closed, { number })).toBe(allowed)
  }
  for (const machine of ['x64', 'arm64'] as const) {
    const filter = seccompFilter(machine, { hasNetwork: true })
    const architecture = machines[machine]
    for (const [name, numbers] of Object.entries(refusedSyscalls)) {
      const number = numbers[machine === 'x64' ? 0 : 1]
      if (number !== undefined) {
        expect([name, decide(filter, { number, architecture })]).toEqual([name, 1])
      }
    }
  }
})

test('calls of another machine kill, and calls that nobody knew do not exist', () => {
  expect(decide(closed, { number: 1, architecture: 0x40000003 })).toBe('killed')
  expect(decide(closed, { number: 0x40000000 + 41 })).toBe(38)
  expect(decide(closed, { number: 471 })).toBe(38)
  expect(decide(closed, { number: 435 })).toBe(38)
})

test('no socket can be created without a network, and only three families with one', () => {
  const socket = 41
  for (let family = 0; family < 50; family++) {
    const args = [family]
    expect(decide(closed, { number: socket, args })).toBe(97)
    expect(decide(open, { number: socket, args })).toBe([1, 2, 10].includes(family) ? allowed : 97)
  }
  // The kernel reads the lower half of it, and so does the filter.
  expect(decide(closed, { number: socket, args: [0x1_0000_0002] })).toBe(97)
  expect(decide(closed, { number: 53, args: [1] })).toBe(allowed)
  expect(decide(closed, { number: 53, args: [16] })).toBe(97)
})

test('processes can be created, and namespaces with them cannot', () => {
  const clone = 56
  expect(decide(closed, { number: clone, args: [0x01200011] })).toBe(allowed)
  expect(decide(closed, { number: clone, args: [0x003d0f00] })).toBe(allowed)
  for (const bit of [17, 25, 26, 27, 28, 29, 30]) {
    expect(decide(closed, { number: clone, args: [2 ** bit + 17] })).toBe(1)
  }
})

test('nothing can be typed into a terminal', () => {
  expect(decide(closed, { number: 16, args: [0, 0x5401] })).toBe(allowed)
  expect(decide(closed, { number: 16, args: [0, 0x5412] })).toBe(1)
  expect(decide(closed, { number: 16, args: [0, 0x1_0000_5412] })).toBe(1)
})

const headers: Readonly<Record<SandboxMachine, string>> = {
  x64: '/usr/include/x86_64-linux-gnu/asm/unistd_64.h',
  arm64: '/usr/include/asm-generic/unistd.h',
}

test.each(['x64', 'arm64'] as const)('numbers are those of the kernel (%s)', (machine) => {
  // Headers are on most machines with a compiler; where they are not, the lists stay as they were.
  const text = existsSync(headers[machine]) ? readFileSync(headers[machine], 'utf8') : ''
  const known = new Map<string, number>()
  for (const [, name = '', number = ''] of text.matchAll(/#define __NR(?:3264)?_(\w+)\s+(\d+)/g)) {
    known.set(name, Number(number))
  }
  const all = Object.entries({ ...refusedSyscalls, ...inspectedSyscalls })
  const wrong = all.filter(([name, numbers]) => {
    const number = numbers[machine === 'x64' ? 0 : 1]
    return number !== undefined && known.has(name) && known.get(name) !== number
  })
  expect(wrong).toEqual([])
})
