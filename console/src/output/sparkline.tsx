interface SparklineProps {
  values: readonly number[]
  /** What it shows, in words: `14 days, 3 to 41 calls`. */
  label: string
  width?: number
  height?: number
}

/** The course of a figure, as small as a word. */
export function Sparkline({ values, label, width = 96, height = 24 }: SparklineProps) {
  const known = values.filter(Number.isFinite)
  const low = Math.min(0, ...known)
  const range = Math.max(...known, low + 1) - low
  const step = (width - 2) / Math.max(1, known.length - 1)
  const points = known.map((value, index) => {
    const y = height - 1.5 - ((value - low) / range) * (height - 3)
    return `${(1 + index * step).toFixed(1)},${y.toFixed(1)}`
  })
  return (
    <svg width={width} height={height} viewBox={`0 0 ${width} ${height}`}>
      <title>{label}</title>
      <polyline
        points={
          points.length === 1
            ? `${points[0]} ${width - 1},${points[0]?.split(',')[1]}`
            : points.join(' ')
        }
        fill="none"
        stroke="var(--series-1)"
        strokeWidth={1.5}
        strokeLinejoin="round"
        strokeLinecap="round"
      />
    </svg>
  )
}
