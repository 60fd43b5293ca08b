import type { ByteProgress } from '../environment.ts'
import type { Screen } from '../output/screen.ts'
import { toMegabytes } from './show-backup.ts'

/** A line that is drawn again, for people alone. */
export function createProgress(screen: Screen, done: string) {
  const isShown = screen.isErrTty && !screen.isJson
  let last = ''
  return {
    show({ done: bytes, total }: ByteProgress): void {
      if (!isShown) return
      const part = total
        ? `${Math.min(100, Math.floor((bytes / total) * 100))} %`
        : toMegabytes(bytes)
      if (part === last) return
      last = part
      screen.draw(`\r\u001b[K${part} ${done}`)
    },
    end(): void {
      if (last !== '') screen.draw('\r\u001b[K')
    },
  }
}
