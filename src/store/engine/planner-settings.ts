/**
 * How our statements are planned: along an index, whatever the statistics say. A prepared statement
 * keeps the plan it was given when the tables were empty, when reading them whole looked cheapest;
 * the embedded engine never gathers statistics that would make it think again. Measured: a page of
 * events out of 150,000 took 229 ms by such a plan, and takes under one by the index.
 */
export const plannerSettings: Readonly<Record<string, string>> = {
  enable_seqscan: 'off',
  enable_bitmapscan: 'off',
  enable_hashjoin: 'off',
  enable_mergejoin: 'off',
  // A scan that can't be avoided looks so costly under these that PostgreSQL would compile the query.
  jit: 'off',
}

/** As command line flags of a session. */
export function toFlags(settings: Readonly<Record<string, string>>): string[] {
  return Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`])
}
