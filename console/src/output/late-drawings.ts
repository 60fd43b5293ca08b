import { late } from '../ui/late.tsx'

// Each needs a large library, which comes with the first chart or text, or when one is expected.
export const ChartDrawing = late(async () => (await import('./chart-drawing.tsx')).ChartDrawing)
export const MarkdownDrawing = late(
  async () => (await import('./markdown-drawing.tsx')).MarkdownDrawing,
)
