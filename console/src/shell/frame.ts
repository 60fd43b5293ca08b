/** The measures of the frame around every screen. */
export const frame = {
  header: { height: 48 },
  navbar: { width: 224, breakpoint: 'sm' },
  layout: 'alt',
} as const
