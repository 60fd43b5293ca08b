// Preloaded into a node (`--import`): its clock jumps back and forth by up to half a minute. Timers keep
// their pace, as they do when a real clock is set. A stand-in for setting the machine's clock, which
// would move it for everybody and needs root.
const RealDate = Date
const longestStepMs = 30_000

let offsetMs = 0

function step(): void {
  offsetMs = Math.round((Math.random() * 2 - 1) * longestStepMs)
  setTimeout(step, 300 + Math.random() * 2000).unref()
}

class SteppedDate extends RealDate {
  constructor(...args: readonly unknown[]) {
    if (args.length === 0) super(RealDate.now() + offsetMs)
    else super(...(args as [number]))
  }

  static override now(): number {
    return RealDate.now() + offsetMs
  }
}

globalThis.Date = SteppedDate as DateConstructor
step()
