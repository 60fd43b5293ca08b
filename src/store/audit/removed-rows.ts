/** One bit per row of a segment, first row in the lowest bit of the first byte. */
export function hasBit(bits: Uint8Array | null, index: number): boolean {
  return (((bits?.[index >> 3] ?? 0) >> (index & 7)) & 1) === 1
}

/** The same bits and these. */
export function withBits(
  bits: Uint8Array | null,
  rows: number,
  indexes: readonly number[],
): Uint8Array {
  const more = new Uint8Array((rows + 7) >> 3)
  if (bits !== null) more.set(bits.subarray(0, more.length))
  for (const index of indexes) more[index >> 3] = (more[index >> 3] ?? 0) | (1 << (index & 7))
  return more
}

export function countBits(bits: Uint8Array): number {
  let count = 0
  for (let index = 0; index < bits.length * 8; index += 1) if (hasBit(bits, index)) count += 1
  return count
}
