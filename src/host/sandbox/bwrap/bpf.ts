/** One instruction of a classic BPF program, as `struct sock_filter`. */
export interface BpfInstruction {
  code: number
  /** Instructions to skip if the test holds. */
  jumpTrue: number
  jumpFalse: number
  value: number
}

const codes = {
  load: 0x20,
  jumpIfEqual: 0x15,
  jumpIfAtLeast: 0x35,
  jumpIfAny: 0x45,
  return: 0x06,
} as const

/** Loads 32 bits of `struct seccomp_data`. */
export function load(offset: number): BpfInstruction {
  return { code: codes.load, jumpTrue: 0, jumpFalse: 0, value: offset }
}

export function answer(value: number): BpfInstruction {
  return { code: codes.return, jumpTrue: 0, jumpFalse: 0, value }
}

type Test = 'jumpIfEqual' | 'jumpIfAtLeast' | 'jumpIfAny'

/** Runs the block if the test holds, and continues after it otherwise. */
export function when(
  test: Test,
  value: number,
  block: readonly BpfInstruction[],
): BpfInstruction[] {
  // A jump has one byte; a longer block would wrap around and skip a rule.
  if (block.length > 255) throw new RangeError(`A block of ${block.length} instructions`)
  return [{ code: codes[test], jumpTrue: 0, jumpFalse: block.length, value }, ...block]
}

/** The bytes that the kernel takes; both supported machines are little-endian. */
export function assemble(program: readonly BpfInstruction[]): Uint8Array {
  const bytes = new Uint8Array(program.length * 8)
  const view = new DataView(bytes.buffer)
  for (const [index, { code, jumpTrue, jumpFalse, value }] of program.entries()) {
    view.setUint16(index * 8, code, true)
    view.setUint8(index * 8 + 2, jumpTrue)
    view.setUint8(index * 8 + 3, jumpFalse)
    view.setUint32(index * 8 + 4, value >>> 0, true)
  }
  return bytes
}
