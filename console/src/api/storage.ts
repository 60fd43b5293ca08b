const prefix = 'toolcrib.'

/** localStorage under our own names. Where it is closed to us, nothing is kept and nothing breaks. */
export const kept = {
  read(name: string): string | null {
    try {
      return localStorage.getItem(prefix + name)
    } catch {
      return null
    }
  },
  write(name: string, value: string): void {
    try {
      localStorage.setItem(prefix + name, value)
    } catch {
      // Full or forbidden: what is kept here is a convenience.
    }
  },
  remove(name: string): void {
    try {
      localStorage.removeItem(prefix + name)
    } catch {
      // As above.
    }
  },
}
