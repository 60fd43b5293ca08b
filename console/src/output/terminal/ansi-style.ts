/** The eight colours that a theme has; others become the nearest of them. */
export const colours = [
  'black',
  'red',
  'green',
  'yellow',
  'blue',
  'magenta',
  'cyan',
  'white',
] as const

export type Colour = (typeof colours)[number]

export interface AnsiStyle {
  color?: Colour
  back?: Colour
  isBold?: boolean
  isDim?: boolean
  isItalic?: boolean
  isUnderlined?: boolean
  isStruck?: boolean
  isInverse?: boolean
}

export const plainStyle: AnsiStyle = {}

type Flag = Exclude<keyof AnsiStyle, 'color' | 'back'>

const switchedOn: Record<number, Flag> = {
  1: 'isBold',
  2: 'isDim',
  3: 'isItalic',
  4: 'isUnderlined',
  7: 'isInverse',
  9: 'isStruck',
}
const switchedOff: Record<number, readonly Flag[]> = {
  22: ['isBold', 'isDim'],
  23: ['isItalic'],
  24: ['isUnderlined'],
  27: ['isInverse'],
  29: ['isStruck'],
}

/**
 * The style after SGR parameters (`1;31`), or after a sequence that has none. Hidden text (8) and blinking (5) are not
 * obeyed: what a program wrote is there to be read.
 */
export function applyStyle(before: AnsiStyle, parameters: string | undefined): AnsiStyle {
  if (parameters === undefined) return before
  const codes = parameters.split(/[;:]/).map(Number)
  const style = { ...before }
  for (let at = 0; at < codes.length; at += 1) {
    const code = codes[at] ?? 0
    if (code === 38 || code === 48) {
      const { colour, length } = readExtended(codes.slice(at + 1))
      if (colour !== undefined) style[code === 38 ? 'color' : 'back'] = colour
      at += length
    } else applyCode(style, code)
  }
  return style
}

function applyCode(style: AnsiStyle, code: number): void {
  const on = switchedOn[code]
  if (code === 0) for (const key of Object.keys(style)) delete style[key as keyof AnsiStyle]
  else if (on !== undefined) style[on] = true
  else if (code === 39) delete style.color
  else if (code === 49) delete style.back
  else if (switchedOff[code] !== undefined) for (const flag of switchedOff[code]) delete style[flag]
  else applyColour(style, code)
}

function applyColour(style: AnsiStyle, code: number): void {
  const tens = Math.floor(code / 10)
  const colour = colours[code % 10]
  if (colour === undefined) return
  if (tens === 3 || tens === 9) style.color = colour
  if (tens === 4 || tens === 10) style.back = colour
}

/** `5;n` of 256 colours, or `2;r;g;b`. */
function readExtended(codes: readonly number[]): { colour: Colour | undefined; length: number } {
  if (codes[0] === 5) return { colour: fromTable(codes[1] ?? 0), length: 2 }
  if (codes[0] !== 2) return { colour: undefined, length: codes.length }
  const [red = 0, green = 0, blue = 0] = codes.slice(1)
  return { colour: nearest(red, green, blue), length: 4 }
}

const steps = [0, 95, 135, 175, 215, 255]

function fromTable(index: number): Colour | undefined {
  if (index < 16) return colours[index % 8]
  if (index > 255) return undefined
  if (index >= 232) return nearest(...grey(8 + (index - 232) * 10))
  const cube = index - 16
  return nearest(
    steps[Math.floor(cube / 36)] ?? 0,
    steps[Math.floor(cube / 6) % 6] ?? 0,
    steps[cube % 6] ?? 0,
  )
}

function grey(level: number): [red: number, green: number, blue: number] {
  return [level, level, level]
}

/** By which of red, green and blue stand out: a colour of our theme, which can be read in light and dark. */
function nearest(red: number, green: number, blue: number): Colour | undefined {
  const most = Math.max(red, green, blue)
  const least = Math.min(red, green, blue)
  // Greys are text.
  if (most - least < 40) return undefined
  const middle = (most + least) / 2
  const index = (red > middle ? 1 : 0) + (green > middle ? 2 : 0) + (blue > middle ? 4 : 0)
  return colours[index]
}
